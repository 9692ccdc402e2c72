//! The page that leads to the reports of several sources.

use maud::{Markup, html};

use crate::report::html::layout::{Location, Page};
use crate::report::html::overview::{state, title};
use crate::report::reading::Reading;
use contest::tournament::folder::shown;

/// The page; the report of the first source lies in `logs/1`.
pub(in crate::report) fn several(readings: &[Reading]) -> Markup {
    let body = html! {
        header.top { div.wrap { h1 { "Report of " (readings.len()) " sources" } } }
        main.wrap id="main" {
            ol.sources {
                @for (place, reading) in readings.iter().enumerate() { li { (source(place + 1, reading)) } }
            }
        }
    };
    let title = format!("{} sources", readings.len());
    Page { title: &title, location: Location::TOP, styles: &[], scripts: &[], data: &[], body }
        .render()
}

/// One source. No table: names and paths are as long as they like, and fit into no column.
fn source(number: usize, reading: &Reading) -> Markup {
    let view = &reading.standings.all;
    let id = format!("source-{number}");
    html! {
        section aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { a href={ "logs/" (number) "/index.html" } { (title(reading)) } }
            p.quiet { code { (shown(&reading.path)) } }
            p.status { (state(reading)) }
            p { (reading.series.header().game) " · " (reading.series.header().options) }
            dl.numbers.inside {
                @let played = reading.progress.played();
                div { dt { "game" @if played != 1 { "s" } } dd { (played) } }
                div { dt { (reading.called()) "s" } dd { (view.rows.len()) } }
                @if let Some(row) = view.rows.first().filter(|_| view.games > 0) {
                    div { dt { "first by rating" } dd { (row.name) } }
                    @if let Some(score) = row.score {
                        div { dt { "its score" } dd { (format!("{:.1}%", 100.0 * score.value)) } }
                    }
                }
            }
        }
    }
}
