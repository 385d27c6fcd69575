"""Makes the golden values of the statistics tests with SciPy and NumPy, into one JSON file for each topic.

    python3 -m venv venv && venv/bin/pip install numpy scipy && venv/bin/python make_golden.py

What SciPy does not have is counted out: every pair, every sign pattern, or whole-number arithmetic.
"""

import itertools
import json
import pathlib
import platform
from fractions import Fraction

import numpy
from scipy import stats

HERE = pathlib.Path(__file__).parent
RANDOM = numpy.random.default_rng(20260117)
VERSIONS = {
    "python": platform.python_version(),
    "scipy": __import__("scipy").__version__,
    "numpy": numpy.__version__,
}


def write(topic, cases):
    text = ",\n".join(json.dumps(case) for case in cases)
    versions = json.dumps(VERSIONS)
    (HERE / f"{topic}.json").write_text(f'{{"madeWith": {versions}, "cases": [\n{text}\n]}}\n')


def smooth(n, shift=0.3):
    return [round(float(value), 4) for value in RANDOM.normal(shift, 1, n)]


def tied(n, zeros=True):
    values = [int(value) for value in RANDOM.integers(-4, 7, n)]
    return values if zeros else [value or 5 for value in values]


def untied(n):
    """Rounding can make a tie or a zero; then other values are drawn."""
    while True:
        values = smooth(n)
        sizes = {abs(value) for value in values}
        if len(sizes) == n and 0 not in sizes:
            return values


def pratt_weights(differences):
    ranks = stats.rankdata(numpy.abs(differences))
    return [(int(2 * rank), difference > 0) for rank, difference in zip(ranks, differences) if difference]


def p_of_all_patterns(differences):
    """Every sign pattern, one by one."""
    weights = pratt_weights(differences)
    above = sum(weight for weight, positive in weights if positive)
    smaller = min(above, sum(weight for weight, _ in weights) - above)
    sums = numpy.zeros(1, dtype=numpy.int64)
    for weight, _ in weights:
        sums = numpy.concatenate([sums, sums + weight])
    return min(1.0, 2 * float((sums <= smaller).sum()) / len(sums))


def p_of_whole_numbers(differences):
    """The number of sign patterns for each sum as whole numbers of any size."""
    weights = pratt_weights(differences)
    above = sum(weight for weight, positive in weights if positive)
    smaller = min(above, sum(weight for weight, _ in weights) - above)
    patterns = {0: 1}
    for weight, _ in weights:
        longer = dict(patterns)
        for so_far, count in patterns.items():
            longer[so_far + weight] = longer.get(so_far + weight, 0) + count
        patterns = longer
    tail = sum(count for total, count in patterns.items() if total <= smaller)
    return min(1.0, float(Fraction(2 * tail, 2 ** len(weights))))


def signed_rank():
    def case(by, differences, p):
        ranks = stats.rankdata(numpy.abs(differences))
        signs = numpy.sign(differences)
        return {
            "by": by,
            "differences": differences,
            "p": float(p),
            "rankSumAbove": float(ranks[signs > 0].sum()),
            "rankSumBelow": float(ranks[signs < 0].sum()),
        }

    def scipy_p(values, **options):
        return stats.wilcoxon(values, zero_method="pratt", correction=True, **options).pvalue

    for n in range(1, 61):
        values = untied(n)
        yield case("wilcoxon exact", values, scipy_p(values, method="exact"))
    for n in (80, 100):
        values = untied(n)
        yield case("wilcoxon exact", values, scipy_p(values, method="exact"))
    for values in ([3e-300, -1e-300, 2e300, 5, -4, 6e15], [-1, -2, -3, -4, -5, -6, -7]):
        yield case("wilcoxon exact", values, scipy_p(values, method="exact"))
    for n in range(2, 13):
        for values in (tied(n), tied(n, zeros=False)):
            if any(values):
                every = stats.PermutationMethod(n_resamples=numpy.inf)
                yield case("wilcoxon permutations", values, scipy_p(values, method=every))
    for n in (14, 16, 18, 20, 21):
        for values in (tied(n), tied(n, zeros=False)):
            yield case("all sign patterns", values, p_of_all_patterns(values))
    for n in (25, 30, 50, 75, 100):
        for values in (tied(n), [value if i % 3 else -value for i, value in enumerate(tied(n))]):
            yield case("whole numbers", values, p_of_whole_numbers(values))
    for n in (101, 150, 300):
        for values in (untied(n), tied(n), [value if i % 2 else -value for i, value in enumerate(tied(n))]):
            yield case("wilcoxon asymptotic", values, scipy_p(values, method="asymptotic"))


def hodges_lehmann():
    for n in [*range(1, 41), 100, 301]:
        for values in (smooth(n), tied(n)):
            i, j = numpy.triu_indices(n)
            array = numpy.array(values, dtype=float)
            walsh = numpy.sort((array[i] + array[j]) / 2)
            case = {"values": values, "estimate": float(numpy.median(walsh)), "interval": None}
            if 6 <= n <= 100:
                patterns = [1]
                for rank in range(1, n + 1):
                    patterns = [
                        (patterns[s] if s < len(patterns) else 0) + (patterns[s - rank] if s >= rank else 0)
                        for s in range(len(patterns) + rank)
                    ]
                cumulative = list(itertools.accumulate(patterns))
                rank = next(k for k, count in enumerate(cumulative) if Fraction(count, 2**n) > Fraction(1, 40))
                case["interval"] = {
                    "low": float(walsh[rank - 1]),
                    "high": float(walsh[len(walsh) - rank]),
                    "level": float(1 - Fraction(2 * cumulative[rank - 1], 2**n)),
                }
            yield case


def cliffs_delta():
    for first, second in ((1, 1), (3, 5), (20, 30), (100, 80)):
        for a, b in ((smooth(first), smooth(second)), (tied(first), tied(second))):
            signs = numpy.sign(numpy.subtract.outer(a, b))
            yield {"first": a, "second": b, "delta": float(signs.mean())}


def median_absolute_deviation():
    for n in (1, 2, 5, 6, 31, 100):
        for values in (smooth(n), tied(n)):
            yield {"values": values, "mad": float(stats.median_abs_deviation(values))}


def adjusted_p_values():
    for n in (1, 2, 5, 12, 40):
        p_values = [round(float(p), 5) for p in RANDOM.uniform(0, 1, n) ** 3]
        if n > 4:
            p_values[3] = p_values[0]
            p_values[1] = 1.0
        order = numpy.argsort(p_values, kind="stable")
        stepped = numpy.array(p_values)[order] * (n - numpy.arange(n))
        holm = numpy.empty(n)
        holm[order] = numpy.minimum(1, numpy.maximum.accumulate(stepped))
        hochberg = stats.false_discovery_control(p_values, method="bh")
        yield {"p": p_values, "holm": holm.tolist(), "benjaminiHochberg": hochberg.tolist()}


def theil_sen():
    for x in ([0, 20, 50, 100], [0, 0, 10, 10, 10, 40], [1, 2], [0, 10, 20, 30, 60, 100, 200, 400]):
        y = [round(100 + 3.1 * value + float(RANDOM.normal(0, 10)), 3) for value in x]
        line = stats.theilslopes(y, x, method="joint")
        yield {"points": list(zip(x, y)), "slope": float(line.slope), "intercept": float(line.intercept)}


def distributions():
    for z in (-3, -1, 0, 0.1, 0.5, 1, 1.5, 1.999, 2, 2.001, 2.5, 3, 5, 8, 12, 20, 37):
        yield {"kind": "normal tail", "z": z, "p": float(stats.norm.sf(z))}
    for p in (0.001, 0.025, 0.2, 0.5, 0.8, 0.9, 0.975, 0.9999):
        yield {"kind": "normal quantile", "p": p, "z": float(stats.norm.ppf(p))}
    for degrees in (1, 2, 3, 4, 5, 6, 9, 10, 29, 30, 99, 1000, 1001):
        for p in (0.6, 0.8, 0.975, 0.999):
            yield {"kind": "t quantile", "degreesOfFreedom": degrees, "p": p, "t": float(stats.t.ppf(p, degrees))}


def detectable_difference():
    for pairs, deviation in ((6, 1), (10, 25), (30, 0.141), (100, 3), (1000, 50)):
        root = numpy.sqrt(pairs * 3 / numpy.pi)
        wide, power = stats.t.ppf([0.975, 0.8], pairs - 1)
        yield {
            "pairs": pairs,
            "standardDeviation": deviation,
            "difference": float((wide + power) * deviation / root),
            "halfWidth": float(wide * deviation / root),
        }


def quantiles():
    for n in (1, 2, 7, 20, 30, 450):
        for values in (smooth(n), tied(n)):
            percents = [0, 5, 10, 25, 35, 50, 75, 90, 99, 100]
            reached = numpy.percentile(values, percents, method="inverted_cdf")
            straight = numpy.percentile(values, percents)
            places = [float(place) for place in numpy.linspace(min(values) - 1, max(values) + 1, 9)] + [values[0]]
            shares = numpy.searchsorted(numpy.sort(values), places, side="right") / n
            yield {
                "values": values,
                "quantiles": [
                    {"percent": percent, "reached": float(least), "straight": float(between)}
                    for percent, least, between in zip(percents, reached, straight)
                ],
                "shares": [{"upTo": place, "share": float(share)} for place, share in zip(places, shares)],
            }


for make in (
    signed_rank,
    hodges_lehmann,
    cliffs_delta,
    median_absolute_deviation,
    adjusted_p_values,
    theil_sen,
    distributions,
    detectable_difference,
    quantiles,
):
    write(make.__name__.replace("_", "-"), make())
