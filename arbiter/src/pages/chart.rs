//! Charts as SVG, with colours that the page's style replaces, so that they follow it into the dark.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::pages::figures::BotFigures;
use crate::standings::View;

/// Stand for the colours of text, lines and what is shown; the style knows them by these values.
const INK: RGBColor = RGBColor(1, 1, 1);
const LINE: RGBColor = RGBColor(2, 2, 2);
const ACCENT: RGBColor = RGBColor(3, 3, 3);

/// About as high as the text around it, since a drawing is shown in its own size: what the library
/// writes is 1.24 times smaller than this.
const FONT: (&str, i32) = ("sans-serif", 17);

/// The same chart for a screen on a desk and for a phone, of which the style shows one.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) wide: String,
    pub(super) narrow: String,
}

/// How much room there is for a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// On a desk.
    Wide,
    /// On a phone.
    Narrow,
}

impl Room {
    /// How wide the drawing is, in pixels.
    fn width(self) -> u32 {
        match self {
            Room::Wide => 600,
            Room::Narrow => 320,
        }
    }

    /// How much of that names take, in pixels.
    fn names(self) -> u32 {
        match self {
            Room::Wide => 160,
            Room::Narrow => 100,
        }
    }

    /// How long a name may be, in characters.
    fn letters(self) -> usize {
        match self {
            Room::Wide => 19,
            Room::Narrow => 11,
        }
    }

    /// How many numbers there are at most along the drawing.
    fn labels(self) -> usize {
        match self {
            Room::Wide => 6,
            Room::Narrow => 5,
        }
    }
}

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The ratings with their intervals, the best on top; nothing where there are none.
pub(super) fn ratings(view: &View) -> Option<Chart> {
    let rated: Vec<_> = view
        .rows
        .iter()
        .filter_map(|row| {
            let rating = row.rating?;
            let (low, high) =
                rating.interval.map_or((rating.value, rating.value), |it| (it.low, it.high));
            Some((row.name.as_str(), low, rating.value, high))
        })
        .collect();
    let low = rated.iter().map(|(_, low, ..)| *low).reduce(f64::min)?;
    let high = rated.iter().map(|(.., high)| *high).reduce(f64::max)?;
    let margin = ((high - low) * 0.05).max(10.0);
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
                .map_or(String::new(), |(name, ..)| shortened(name, room.letters())),
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
        for (row, (_, low, value, high)) in rated.iter().rev().enumerate() {
            let at = |x: f64| (x, SegmentValue::CenterOf(row));
            let interval = PathElement::new([at(*low), at(*high)], ACCENT.stroke_width(3));
            chart.draw_series([interval])?;
            chart.draw_series([Circle::new(at(*value), 5, ACCENT.filled())])?;
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
            .x_label_formatter(&|ms| milliseconds(*ms))
            .x_desc("time of an answer")
            .y_labels(4)
            .y_label_formatter(&|count| format!("{count:.0}"))
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

/// A time as it is read.
pub(super) fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.995 => format!("{ms:.2} ms"),
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// Both drawings of a chart; nothing where the library fails, since a page is of use without it.
fn chart(height: u32, draw: impl Fn(&Canvas<'_>, Room) -> Drawn) -> Option<Chart> {
    let drawn = |room: Room| {
        let mut text = String::new();
        {
            let size = (room.width(), height);
            let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
            draw(&canvas, room).and_then(|()| Ok(canvas.present()?)).ok()?;
        }
        Some(text)
    };
    Some(Chart { wide: drawn(Room::Wide)?, narrow: drawn(Room::Narrow)? })
}
