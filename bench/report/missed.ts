import { budgets, type Limit } from '../budgets.ts';
import { judgedValues, median, type Measurement } from '../measurement.ts';
import { isMissed } from './table.ts';

function byHowMuch(measurement: Measurement, budget: Limit): string {
  const value = median(judgedValues(measurement));
  const limit = 'max' in budget ? budget.max : budget.min;
  if (measurement.kind === 'comparison') {
    return `${value.toFixed(2)} times ${measurement.limitName}, where ${limit} times is the budget`;
  }
  const off = Math.abs(value - limit).toFixed(1);
  const side = 'max' in budget ? 'over' : 'short';
  return `${value.toFixed(1)} ${measurement.unit}, ${off} ${measurement.unit} ${side}`;
}

/** Returns one or two sentences for each missed budget. */
export function describeMissed(measurements: readonly Measurement[]): string[] {
  return measurements.filter(isMissed).map((measurement) => {
    const budget = budgets.get(measurement.id);
    if (budget === undefined) throw new Error('What has no budget cannot miss it');
    const { name } = measurement;
    return `- **${name}**: ${byHowMuch(measurement, budget)}. ${budget.whyMissed}`;
  });
}

/** Returns the names of measurements so far below their budget that the run has failed. */
export function namesOfFailed(measurements: readonly Measurement[]): string[] {
  return measurements
    .filter((measurement) => {
      const budget = budgets.get(measurement.id);
      if (budget === undefined || 'max' in budget) return false;
      return median(judgedValues(measurement)) < budget.failsBelow;
    })
    .map(({ name }) => name);
}
