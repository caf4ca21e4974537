import { useEffect, useRef, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { EntryDay } from '../../../data/queries/queries.ts';
import { datePartsOf, type CalendarDate } from '../../../lib/dates/calendar-date.ts';
import {
  dayOfMonthText,
  monthOf,
  monthText,
  weekdays,
  weeksOf,
} from '../../../lib/dates/calendar-month.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { countText } from '../../../lib/text/count-text.ts';
import { dateAfterKey } from './date-keys.ts';

export interface MonthGridProps {
  /** The date with the Tab stop; its month is shown. */
  readonly active: CalendarDate;
  readonly today: CalendarDate;
  /** The date that the journal shows, if it is known. */
  readonly shown: CalendarDate | undefined;
  /** The days that have entries; undefined until they are read. */
  readonly days: ReadonlyMap<CalendarDate, EntryDay> | undefined;
  /** Whether the active date takes the focus when the grid appears. */
  readonly takesFocus: boolean;
  /** Called when a key moves to a date, which may be out of bounds. */
  readonly onMove: (date: CalendarDate) => void;
  readonly onChoose: (day: EntryDay) => void;
}

/** The days of one month. Days without entries can be reached by keyboard, but not chosen. */
export function MonthGrid(props: MonthGridProps) {
  const { active, days, takesFocus, onMove, onChoose } = props;
  const tableRef = useRef<HTMLTableElement>(null);
  const month = monthOf(active);

  useEffect(() => {
    if (takesFocus) focusActiveDate(tableRef.current);
  }, [takesFocus]);

  const move = (event: KeyboardEvent): void => {
    const next = dateAfterKey(active, event);
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // The date may be in a month that is not rendered yet.
    flushSync(() => onMove(next));
    focusActiveDate(tableRef.current);
  };

  return (
    <table
      ref={tableRef}
      role="grid"
      aria-label={monthText(month)}
      className="w-full table-fixed border-collapse tabular-nums"
      onKeyDown={move}
    >
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" abbr={name} className="h-8 font-normal text-ink-soft">
              {name.slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, index) => (
          // The only identity of a week within its month is its place.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            {week.map((date, weekday) =>
              date === null ? (
                <td key={weekdays[weekday]} />
              ) : (
                <Day key={date} {...props} date={date} day={days?.get(date)} onChoose={onChoose} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Moves the focus to the date with the Tab stop. */
function focusActiveDate(table: HTMLElement | null): void {
  table?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus();
}

interface DayProps extends Pick<MonthGridProps, 'active' | 'today' | 'shown' | 'onChoose'> {
  readonly date: CalendarDate;
  /** The entries of the day; undefined if there are none. */
  readonly day: EntryDay | undefined;
}

function Day({ date, day, active, today, shown, onChoose }: DayProps) {
  const entries = day === undefined ? 'no entries' : countText(day.count, 'entry', 'entries');
  const isToday = date === today;
  return (
    // The button is the cell, so that a screen reader says its name once.
    <td role="none" className="p-0 text-center">
      <button
        type="button"
        role="gridcell"
        aria-selected={date === shown}
        tabIndex={date === active ? 0 : -1}
        aria-label={`${dayOfMonthText(date)}, ${entries}`}
        aria-current={isToday ? 'date' : undefined}
        aria-disabled={day === undefined}
        className={classNames(
          'relative inline-flex h-11 w-full max-w-11 items-center justify-center rounded-full text-base transition-colors',
          day === undefined
            ? 'cursor-default! text-ink-soft'
            : 'font-semibold hover:bg-card-strong',
          date === shown && 'bg-moss-soft',
          isToday && 'ring-1 ring-field-line ring-inset',
        )}
        onClick={() => day !== undefined && onChoose(day)}
      >
        {datePartsOf(date).day}
        {day !== undefined && (
          <span aria-hidden className="absolute bottom-1.5 size-1.5 rounded-full bg-moss" />
        )}
      </button>
    </td>
  );
}
