import { budgets } from '../budgets.ts';
import { judgedValues, median, spreadOf, type Measurement, type Unit } from '../measurement.ts';

function digitsFor(value: number): number {
  if (value >= 100) return 0;
  return value >= 10 ? 1 : 2;
}

function amountText(value: number, unit: Unit): string {
  return `${value.toFixed(digitsFor(value))} ${unit}`;
}

function ratioText(ratio: number): string {
  return `${ratio.toFixed(digitsFor(ratio))}x`;
}

export function isMissed(measurement: Measurement): boolean {
  const budget = budgets.get(measurement.id);
  if (budget === undefined) return false;
  const value = median(judgedValues(measurement));
  return 'max' in budget ? value > budget.max : value < budget.min;
}

function budgetText(measurement: Measurement): string {
  const budget = budgets.get(measurement.id);
  if (budget === undefined) return '';
  const unit = measurement.kind === 'comparison' ? 'x' : ` ${measurement.unit}`;
  const limit = 'max' in budget ? `≤ ${budget.max}${unit}` : `≥ ${budget.min}${unit}`;
  return `${isMissed(measurement) ? 'missed' : 'met'}: ${limit}`;
}

function cellsOf(measurement: Measurement): string[] {
  const { name, unit } = measurement;
  if (measurement.kind === 'amount') {
    return [name, amountText(median(measurement.rounds), unit), '', '', budgetText(measurement)];
  }
  const ours = median(measurement.rounds.map((pair) => pair.ours));
  const limit = median(measurement.rounds.map((pair) => pair.limit));
  const ratio = spreadOf(judgedValues(measurement));
  return [
    name,
    amountText(ours, unit),
    `${amountText(limit, unit)} (${measurement.limitName})`,
    `${ratioText(ratio.median)} (${ratioText(ratio.lowest)} to ${ratioText(ratio.highest)})`,
    budgetText(measurement),
  ];
}

const header = ['what', 'ours', 'beside it', 'ratio (rounds)', 'budget'];

/** Returns a Markdown table with aligned columns, which is readable in a terminal. */
export function toTable(measurements: readonly Measurement[]): string {
  const rows = [header, ...measurements.map(cellsOf)];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(header), line(rule), ...rows.slice(1).map(line)].join('\n');
}
