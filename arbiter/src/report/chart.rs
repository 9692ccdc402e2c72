//! Charts as SVG, with colours that the page's style replaces, so that they follow it into the dark.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::report::figures::BotFigures;
use crate::standings::View;

/// Stand for the colours of text, lines and what is shown; the style knows them by these values.
const INK: RGBColor = RGBColor(1, 1, 1);
const LINE: RGBColor = RGBColor(2, 2, 2);
const ACCENT: RGBColor = RGBColor(3, 3, 3);

/// About as high as the text around it where a drawing has its own size: what the library writes is
/// 1.24 times smaller than this.
const FONT: (&str, i32) = ("sans-serif", 17);

/// The same chart for columns of several widths. The style shows the one that fits best, as wide as
/// the column.
#[derive(Debug)]
pub(crate) struct Chart {
    /// From the narrowest room to the widest.
    pub(super) drawings: Vec<(Room, String)>,
}

/// How much room there is for a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// On a phone.
    Phone,
    /// On a tablet, or in a small window.
    Tablet,
    /// On a desk.
    Desktop,
}

impl Room {
    /// From the narrowest to the widest.
    const ALL: [Room; 3] = [Room::Phone, Room::Tablet, Room::Desktop];

    /// The class by which the style knows it.
    pub(super) fn class(self) -> &'static str {
        match self {
            Room::Phone => "for-phone",
            Room::Tablet => "for-tablet",
            Room::Desktop => "for-desk",
        }
    }

    /// How wide the drawing is, in pixels: the least that its column has.
    fn width(self) -> u32 {
        match self {
            Room::Phone => 320,
            Room::Tablet => 600,
            Room::Desktop => 1068,
        }
    }

    /// How much of that names take, in pixels.
    fn names(self) -> u32 {
        match self {
            Room::Phone => 100,
            Room::Tablet => 160,
            Room::Desktop => 250,
        }
    }

    /// How long a name may be, in characters.
    fn letters(self) -> usize {
        match self {
            Room::Phone => 11,
            Room::Tablet => 19,
            Room::Desktop => 30,
        }
    }

    /// How many numbers there are at most along the drawing.
    fn labels(self) -> usize {
        match self {
            Room::Phone => 5,
            Room::Tablet => 6,
            Room::Desktop => 10,
        }
    }
}

/// A bot in the chart of ratings.
struct Rated<'a> {
    name: &'a str,
    low: Option<f64>,
    point: Option<f64>,
    high: Option<f64>,
}

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The ratings with their intervals, the best on top; nothing if there are none.
///
/// An interval without an end reaches to the edge, and has no point: games do not say where it is.
pub(super) fn ratings(view: &View) -> Option<Chart> {
    let rated: Vec<Rated<'_>> = view
        .rows
        .iter()
        .filter_map(|row| {
            let rating = row.rating?;
            let interval = rating.interval;
            let is_open = interval.is_some_and(|it| it.low.is_none() || it.high.is_none());
            Some(Rated {
                name: &row.name,
                low: interval.map_or(Some(rating.value), |it| it.low),
                point: Some(rating.value).filter(|_| !is_open),
                high: interval.map_or(Some(rating.value), |it| it.high),
            })
        })
        .collect();
    let shown = || rated.iter().flat_map(|it| [it.low, it.high]).flatten();
    let low = shown().reduce(f64::min)?;
    let high = shown().reduce(f64::max)?;
    let is_open = |end: fn(&Rated<'_>) -> Option<f64>| rated.iter().any(|it| end(it).is_none());
    // An interval that reaches to the edge must be seen to continue.
    let share = if is_open(|it| it.low) || is_open(|it| it.high) { 0.15 } else { 0.05 };
    let margin = ((high - low) * share).max(10.0);
    let rows = rated.len();
    let height = 68 + 30 * u32::try_from(rows).unwrap_or(1000);
    chart(height, |canvas, room| {
        let mut chart = ChartBuilder::on(canvas)
            .margin_right(16)
            .margin_top(8)
            .x_label_area_size(52)
            .y_label_area_size(room.names())
            .build_cartesian_2d(
                low - margin..high + margin,
                (0..rows.saturating_sub(1)).into_segmented(),
            )?;
        // The axis goes up, and the best is on top.
        let name = |place: &SegmentValue<usize>| match place {
            SegmentValue::CenterOf(place) => rated
                .get(rows.wrapping_sub(place + 1))
                .map_or(String::new(), |rated| shortened(rated.name, room.letters())),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LINE)
            .axis_style(LINE)
            .label_style(FONT.into_font().color(&INK))
            .x_labels(room.labels())
            .x_label_formatter(&|x| format!("{x:.0}"))
            .x_desc("rating, 95% intervals")
            .y_labels(rows)
            .y_label_formatter(&name)
            .draw()?;
        for (row, rated) in rated.iter().rev().enumerate() {
            let at = |x: f64| (x, SegmentValue::CenterOf(row));
            let ends = [rated.low.unwrap_or(low - margin), rated.high.unwrap_or(high + margin)];
            let interval = PathElement::new(ends.map(at), ACCENT.stroke_width(3));
            chart.draw_series([interval])?;
            chart
                .draw_series(rated.point.map(|point| Circle::new(at(point), 5, ACCENT.filled())))?;
        }
        Ok(())
    })
}

/// A name that fits beside the chart, without its middle: long names often differ in their ends. The
/// table above the chart has all of it.
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
    /// How many games of all there were, and the rating after them.
    pub(super) points: Vec<(u64, f64)>,
}

/// Ratings over the number of games; nothing without two points.
pub(super) fn curves(curves: &[Curve]) -> Option<Chart> {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let (first, last) = (points().map(|it| it.0).min()?, points().map(|it| it.0).max()?);
    let low = points().map(|it| it.1).reduce(f64::min)?;
    let high = points().map(|it| it.1).reduce(f64::max)?;
    if first == last {
        return None;
    }
    let margin = ((high - low) * 0.1).max(10.0);
    chart(300, |canvas, room| {
        let mut chart = ChartBuilder::on(canvas)
            .margin_right(16)
            .margin_top(8)
            .x_label_area_size(52)
            .y_label_area_size(64)
            .build_cartesian_2d(first as f64..last as f64, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LINE)
            .axis_style(LINE)
            .label_style(FONT.into_font().color(&INK))
            .x_labels(room.labels())
            .x_label_formatter(&|games| format!("{games:.0}"))
            .x_desc("games of the league")
            .y_labels(5)
            .y_label_formatter(&|rating| format!("{rating:.0}"))
            .draw()?;
        for Curve { name, points } in curves {
            let all = points.iter().map(|(games, rating)| (*games as f64, *rating));
            chart
                .draw_series([PathElement::new(all.collect::<Vec<_>>(), ACCENT.stroke_width(2))])?;
            if let Some((games, rating)) = points.last() {
                let (at, style) = ((*games as f64, *rating), FONT.into_font().color(&INK));
                let letters = i32::try_from(name.chars().count()).unwrap_or_default();
                let left = if *games > (first + last) / 2 { -8 - 8 * letters } else { 8 };
                let name = Text::new(name.clone(), (left, -18), style);
                let point = Circle::new((0, 0), 4, ACCENT.filled());
                chart.draw_series([EmptyElement::at(at) + name + point])?;
            }
        }
        Ok(())
    })
}

/// How many answers took how long, on a logarithmic scale; nothing without answers.
pub(super) fn times(bot: &BotFigures) -> Option<Chart> {
    const BARS: i32 = 40;
    if bot.times.is_empty() {
        return None;
    }
    let low = (bot.times.min().max(1) as f64 * 0.9).ln();
    let high = (bot.times.max().max(2) as f64 * 1.1).ln();
    let edge = |bar: i32| (low + (high - low) * f64::from(bar) / f64::from(BARS)).exp();
    let mut counts = vec![0_u64; BARS as usize];
    for value in bot.times.iter_recorded() {
        let share = ((value.value_iterated_to().max(1) as f64).ln() - low) / (high - low);
        let bar = (share * f64::from(BARS)) as usize;
        counts[bar.min(BARS as usize - 1)] += value.count_at_value();
    }
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    chart(230, |canvas, room| {
        let axis = f64::from(room.width() - 16 - 56);
        let mut chart = ChartBuilder::on(canvas)
            .margin_right(16)
            .margin_top(8)
            .x_label_area_size(52)
            .y_label_area_size(56)
            .build_cartesian_2d(
                (edge(0) / 1000.0..edge(BARS) / 1000.0).log_scale(),
                0.0..most * 1.05,
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LINE)
            .axis_style(LINE)
            .label_style(FONT.into_font().color(&INK))
            .x_labels(room.labels())
            .x_label_formatter(&|ms| match has_room(*ms, (high - low) / axis) {
                true => milliseconds(*ms),
                false => String::new(),
            })
            .x_desc("time of an answer")
            .y_labels(4)
            .y_label_formatter(&|count| match count.fract() == 0.0 {
                true => format!("{count:.0}"),
                false => String::new(),
            })
            .draw()?;
        chart.draw_series(counts.iter().zip(0..).filter(|(count, _)| **count > 0).map(
            |(count, bar)| {
                let corners = [(edge(bar) / 1000.0, 0.0), (edge(bar + 1) / 1000.0, *count as f64)];
                Rectangle::new(corners, ACCENT.filled())
            },
        ))?;
        Ok(())
    })
}

/// Whether there is room for a number on a logarithmic axis before the one that follows it, on
/// which a pixel stands for this much. Of 1, 2, 5 and 10 any two are at least a factor of 2 apart.
fn has_room(number: f64, pixel: f64) -> bool {
    const LABEL: f64 = 64.0;
    let digit = number / 10_f64.powf((number.log10() + 1e-9).floor());
    let is_one_of = |digits: &[f64]| digits.iter().any(|it| (digit - it).abs() < 1e-6);
    let factor = if is_one_of(&[2.0, 5.0]) { 2.0 } else { (digit + 1.0) / digit };
    is_one_of(&[1.0]) || factor.ln() / pixel >= LABEL
}

/// A time as it is read.
pub(super) fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.995 => format!("{ms:.2} ms"),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// All drawings of a chart; nothing if the library fails, since a page is of use without it.
fn chart(height: u32, draw: impl Fn(&Canvas<'_>, Room) -> Drawn) -> Option<Chart> {
    let drawn = |room: Room| {
        let mut text = String::new();
        {
            let size = (room.width(), height);
            let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
            draw(&canvas, room).and_then(|()| Ok(canvas.present()?)).ok()?;
        }
        Some((room, text))
    };
    let drawings = Room::ALL.into_iter().map(drawn).collect::<Option<Vec<_>>>()?;
    Some(Chart { drawings })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a third of a decade, over one and a half, and over six.
    #[test]
    fn numbers_on_an_axis_do_not_overlap() {
        let shown = |numbers: &[f64], low: f64, high: f64| {
            let pixel = (high / low).ln() / 996.0;
            numbers.iter().copied().filter(|it| has_room(*it, pixel)).collect::<Vec<_>>()
        };
        let many: Vec<f64> = (1..10).map(f64::from).chain([10.0, 20.0, 30.0]).collect();
        assert_eq!(shown(&many, 0.9, 32.0), [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0]);
        let few = [6.0, 7.0, 8.0, 9.0];
        assert_eq!(shown(&few, 5.5, 10.0), few);
        assert_eq!(shown(&many, 0.01, 10_000.0), [1.0, 10.0]);
    }
}
