/** One tab. Everything that a walk does goes through these few calls, so that an engine needs a small driver. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  /** One step back, as by the button of the browser. */
  back(): Promise<void>;
  /** Runs in the page. Arguments and result are JSON. */
  evaluate<Args extends readonly unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a script of any length in the page, whatever its policy. */
  inject(script: string): Promise<void>;
  /** Presses of the mouse, which the page takes for those of its owner: two are a double click. */
  clickAt(x: number, y: number, clicks?: Clicks): Promise<void>;
  type(text: string): Promise<void>;
  press(key: PressedKey): Promise<void>;
  /** Gives a file to the input that this selector finds first. */
  setFile(selector: string, path: string): Promise<void>;
  /** Brings the tab to the front: browsers slow the others down. */
  show(): Promise<void>;
  /** A PNG. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export type Clicks = 1 | 2;

export type PressedKey = 'Enter' | 'Escape';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A browser with a profile that outlives it. */
export interface EngineDevice {
  /** Starts the browser if it is not running. */
  newPage(): Promise<EnginePage>;
  /** All of its windows get this size inside. */
  resize(size: Size): Promise<void>;
  /** Ends the browser as its owner would. */
  quit(): Promise<void>;
  /** Ends the browser and removes all that sites have stored in it, as browsers do on their own. */
  forget(): Promise<void>;
  /** Where downloads land. */
  readonly downloads: string;
  /** Ends the browser and removes its profile. */
  dispose(): Promise<void>;
}

/** As the wrapper of iOS serves its pages. */
export const wrapperOrigin = 'capacitor://localhost';

export interface Wrapper {
  /** The folder of the app's files. */
  readonly pages: string;
  /** Runs in each page before its own scripts. */
  readonly startScript: string;
}

export interface Engine {
  readonly name: 'firefox' | 'webkit';
  newDevice(): Promise<EngineDevice>;
  /** A device with the app in a native wrapper, at `wrapperOrigin`; not in each engine. */
  newWrapper?(wrapper: Wrapper): Promise<EngineDevice>;
  /** Ends what the devices share. */
  close(): Promise<void>;
}
