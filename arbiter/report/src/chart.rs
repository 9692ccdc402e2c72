//! Charts as SVG. Each is drawn once: horizontal places are shares of its width, vertical ones are in pixels.
//! So it is as wide as its column, and letters keep their size on a phone. The style has the colours, and
//! makes room on the left.

use std::ops::RangeInclusive;

use maud::{Markup, html};

use crate::figures::{BotFigures, with_minus};
use standings::{Estimate, Row, StandingsView};
use text::columns::with_ends;

/// The room for the axis and its title below a drawing, in pixels.
const BELOW: f64 = 48.0;
/// The free room above a drawing, in pixels.
const ABOVE: f64 = 10.0;

/// The ratings with their intervals, the best on top; nothing if there are none.
///
/// An interval without an end reaches to the edge, and has no point: games do not say where it is.
pub(super) fn ratings(view: &StandingsView) -> Option<Markup> {
    const ROW: f64 = 30.0;
    let rated: Vec<RatedBot<'_>> = view.rows.iter().filter_map(RatedBot::new).collect();
    let shown = || rated.iter().flat_map(|it| [it.low, it.high]).flatten();
    let (low, high) = (shown().reduce(f64::min)?, shown().reduce(f64::max)?);
    let is_open = rated.iter().any(|it| it.low.is_none() || it.high.is_none());
    // An interval that reaches to the edge must be seen to continue.
    let margin = ((high - low) * if is_open { 0.15 } else { 0.05 }).max(10.0);
    let across = Axis::even(low - margin, high + margin, 10);
    let marks = html! {
        @for (place, RatedBot { name, value, low, high }) in rated.iter().enumerate() {
            @let y = ABOVE + ROW * (place as f64 + 0.5);
            g {
                title { (name) ": " (with_minus(with_ends(*value, 0, (*low, *high)))) }
                // The table above the chart has the names whole.
                text.name.whole x="-10" y=(y + 5.0) { (shortened(name, 30)) }
                text.name.cut x="-10" y=(y + 5.0) { (shortened(name, 12)) }
                line.interval x1=(across.position(low.unwrap_or(across.low))) x2=(across.position(high.unwrap_or(across.high))) y1=(y) y2=(y) {}
                @if low.is_some() && high.is_some() { circle cx=(across.position(*value)) cy=(y) r="5" {} }
            }
        }
    };
    let height = ROW * rated.len() as f64;
    Some(drawing("ratings", "rating, 95% intervals", &across, height, marks))
}

struct RatedBot<'a> {
    name: &'a str,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl RatedBot<'_> {
    fn new(row: &Row) -> Option<RatedBot<'_>> {
        let Estimate { value, interval } = row.rating?;
        let (low, high) = interval.map_or((Some(value), Some(value)), |it| (it.low, it.high));
        Some(RatedBot { name: &row.name, value, low, high })
    }
}

/// A name without its middle: long names often differ in their ends.
fn shortened(name: &str, letters: usize) -> String {
    let all: Vec<char> = name.chars().collect();
    if all.len() <= letters {
        return name.to_owned();
    }
    let kept = letters.saturating_sub(1);
    let (start, end) = (&all[..kept - kept / 2], &all[all.len() - kept / 2..]);
    start.iter().chain(&['…']).chain(end).collect()
}

/// The rating of a bot over the number of games.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    /// The number of games before each point, and the rating after them.
    pub(super) points: Vec<(u64, f64)>,
}

/// Ratings over the number of games; nothing without two points.
pub(super) fn curves(curves: &[Curve]) -> Option<Markup> {
    const HEIGHT: f64 = 240.0;
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let (first, last) = (points().map(|it| it.0).min()?, points().map(|it| it.0).max()?);
    let low = points().map(|it| it.1).reduce(f64::min)?;
    let high = points().map(|it| it.1).reduce(f64::max)?;
    if first == last {
        return None;
    }
    let margin = ((high - low) * 0.1).max(10.0);
    let across = Axis::even(first as f64, last as f64, 10);
    let up = Axis::even(low - margin, high + margin, 5);
    let y = |rating: f64| pixels(ABOVE + HEIGHT * (1.0 - up.share(rating)));
    let marks = html! {
        (lines_across(&up, HEIGHT))
        @for Curve { name, points } in curves {
            @for two in points.windows(2) {
                @if let [(before, from), (after, to)] = *two {
                    line.curve x1=(across.position(before as f64)) x2=(across.position(after as f64)) y1=(y(from)) y2=(y(to)) {}
                }
            }
            @for (games, rating) in points {
                circle cx=(across.position(*games as f64)) cy=(y(*rating)) r="3" {
                    title { (name) ": " (with_minus(format!("{rating:.0}"))) " after " (games) " games" }
                }
            }
            // A page with one curve has its name in the heading.
            @if let Some((games, rating)) = points.last().filter(|_| curves.len() > 1) {
                @let is_right = *games > (first + last) / 2;
                text.of-curve.to-the-left[is_right] x=(across.position(*games as f64)) y=(y(*rating)) dy="-10" { (name) }
            }
        }
    };
    Some(drawing("curves", "league games", &across, HEIGHT, marks))
}

/// The number of answers by the time that they took, on a logarithmic scale; nothing without answers.
pub(super) fn times(bot: &BotFigures) -> Option<Markup> {
    const HEIGHT: f64 = 170.0;
    const BARS: usize = 40;
    let (least, greatest) = bot.times.range()?;
    let ms = |microseconds: u64| microseconds as f64 / 1000.0;
    let (low, high) = (ms(least.max(1)) * 0.9, ms(greatest.max(2)) * 1.1);
    let across = Axis::logarithmic(low, high);
    let mut counts = [0_u64; BARS];
    for (time, count) in bot.times.counts() {
        let bar = across.share(ms(time.max(1))) * BARS as f64;
        counts[(bar as usize).min(BARS - 1)] += count;
    }
    let edge = |bar: usize| (low.ln() + (high / low).ln() * bar as f64 / BARS as f64).exp();
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let up = Axis::even(0.0, most * 1.05, 4);
    let marks = html! {
        (lines_across(&up, HEIGHT))
        @for (bar, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            @let height = HEIGHT * up.share(*count as f64);
            rect x=(percent(bar as f64 / BARS as f64)) width=(percent(1.0 / BARS as f64))
                y=(pixels(ABOVE + HEIGHT - height)) height=(pixels(height)) {
                title { (milliseconds(edge(bar))) " to " (milliseconds(edge(bar + 1))) ": " (count) }
            }
        }
    };
    Some(drawing("times", "response time", &across, HEIGHT, marks))
}

pub(super) fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.995 => format!("{ms:.2} ms"),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// An axis with its numbers below, and the marks above it.
fn drawing(class: &str, title: &str, across: &Axis, height: f64, marks: Markup) -> Markup {
    let bottom = ABOVE + height;
    html! {
        svg class=(class) height=(bottom + BELOW) role="img" aria-label=(title) {
            @for (place, (number, text)) in across.numbers.iter().enumerate() {
                @let x = across.position(*number);
                line.grid x1=(x) x2=(x) y1=(ABOVE) y2=(bottom) {}
                // On a phone there is room for every other one.
                text.number.spare[across.is_dense() && place % 2 == 1] x=(x) y=(bottom + 20.0) { (text) }
            }
            line.grid x1="0" x2="100%" y1=(bottom) y2=(bottom) {}
            text.number x="50%" y=(bottom + 42.0) { (title) }
            (marks)
        }
    }
}

/// The numbers at the left of a drawing, each with its line.
fn lines_across(up: &Axis, height: f64) -> Markup {
    html! { @for (number, text) in &up.numbers {
        @let y = ABOVE + height * (1.0 - up.share(*number));
        line.grid x1="0" x2="100%" y1=(pixels(y)) y2=(pixels(y)) {}
        text.name x="-8" y=(pixels(y + 5.0)) { (text) }
    } }
}

/// The horizontal or vertical scale of a drawing.
struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
    /// The numbers that are shown.
    numbers: Vec<(f64, String)>,
}

impl Axis {
    /// An axis with at most this many steps of whole numbers.
    fn even(low: f64, high: f64, most: u8) -> Axis {
        let numbers = steps(low, high, most, 1.0).into_iter();
        let numbers = numbers.map(|it| (it, with_minus(format!("{it:.0}")))).collect();
        Axis { low, high, is_logarithmic: false, numbers }
    }

    /// An axis of times: with 1, 2, 5 and 10, or powers of ten where those are too many, or steps where they
    /// are too few.
    fn logarithmic(low: f64, high: f64) -> Axis {
        const FEW: RangeInclusive<usize> = 3..=9;
        let powers = low.log10().floor() as i32..=high.log10().floor() as i32;
        let of = |digits: &'static [f64]| -> Vec<f64> {
            let all = powers
                .clone()
                .flat_map(|power| digits.iter().map(move |it| it * 10_f64.powi(power)));
            all.filter(|it| (low..=high).contains(it)).collect()
        };
        let round = of(&[1.0, 2.0, 5.0]);
        let numbers = match round.len() {
            few if few < *FEW.start() => steps(low, high, 4, 0.01),
            many if many > *FEW.end() => of(&[1.0]),
            _ => round,
        };
        let numbers = numbers.into_iter().map(|it| (it, milliseconds(it))).collect();
        Axis { low, high, is_logarithmic: true, numbers }
    }

    /// Returns true if a phone has no room for all of its numbers.
    fn is_dense(&self) -> bool {
        self.numbers.len() > 4
    }

    /// The place of a number between the low end, 0, and the high one, 1.
    fn share(&self, number: f64) -> f64 {
        match self.is_logarithmic {
            false => (number - self.low) / (self.high - self.low),
            true => (number / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// The horizontal place of a number.
    fn position(&self, number: f64) -> String {
        percent(self.share(number))
    }
}

/// Round numbers between two others, with at most this many steps, none of which is smaller than the least.
fn steps(low: f64, high: f64, most: u8, least: f64) -> Vec<f64> {
    let wanted = ((high - low) / f64::from(most)).max(least);
    let power = 10_f64.powi(wanted.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|step| *step >= wanted);
    let step = step.unwrap_or(10.0 * power);
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|it| it as f64 * step).collect()
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn pixels(number: f64) -> String {
    format!("{number:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_shows_a_few_round_numbers() {
        let shown = |axis: Axis| axis.numbers.into_iter().map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(
            shown(Axis::even(-310.0, 190.0, 10)),
            ["−300", "−250", "−200", "−150", "−100", "−50", "0", "50", "100", "150"]
        );
        assert_eq!(shown(Axis::even(1.0, 3.0, 10)), ["1", "2", "3"]);
        assert_eq!(shown(Axis::even(0.0, 4200.0, 4)), ["0", "2000", "4000"]);
        assert_eq!(
            shown(Axis::logarithmic(0.9, 32.0)),
            ["1.0 ms", "2.0 ms", "5.0 ms", "10 ms", "20 ms"]
        );
        assert_eq!(shown(Axis::logarithmic(5.5, 10.5)), ["6.0 ms", "8.0 ms", "10 ms"]);
        assert_eq!(
            shown(Axis::logarithmic(0.9, 11_000.0)),
            ["1.0 ms", "10 ms", "100 ms", "1.0 s", "10.0 s"]
        );
    }

    #[test]
    fn a_long_name_keeps_both_of_its_ends() {
        assert_eq!(shortened("a-bot-whose-name-is-long-1", 12), "a-bot-…ong-1");
        assert_eq!(shortened("greedy", 12), "greedy");
    }
}
