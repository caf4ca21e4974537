import { budgets } from '../budgets.ts';
import { judgedValues, median, type Measurement } from '../measurement.ts';
import { isMissed } from './table.ts';

function byHowMuch(measurement: Measurement, max: number): string {
  const value = median(judgedValues(measurement));
  if (measurement.kind === 'comparison') {
    return `${value.toFixed(2)} times ${measurement.limitName}, where ${max} times is the budget`;
  }
  const over = value - max;
  return `${value.toFixed(1)} ${measurement.unit}, ${over.toFixed(1)} ${measurement.unit} over`;
}

/** One sentence or two for each budget that was missed. */
export function describeMissed(measurements: readonly Measurement[]): string[] {
  return measurements.filter(isMissed).map((measurement) => {
    const budget = budgets.get(measurement.id);
    if (budget === undefined) throw new Error('What has no budget cannot miss it');
    const { name } = measurement;
    return `- **${name}**: ${byHowMuch(measurement, budget.max)}. ${budget.whyMissed}`;
  });
}
