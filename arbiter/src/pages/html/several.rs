//! The page that leads to the reports of several sources.

use maud::{Markup, html};

use crate::pages::html::layout::{Depth, Page, scrolled};
use crate::pages::html::overview::{status, title};
use crate::pages::reading::Reading;

/// The page; the report of the first source lies in `logs/1`.
pub(in crate::pages) fn several(readings: &[Reading]) -> Markup {
    let table = html! {
        table {
            caption { "the first by rating, of each" }
            thead { tr {
                th.word scope="col" { "source" } th.word scope="col" { "game" } th scope="col" { "games" }
                th scope="col" { "players" } th.word scope="col" { "first" } th.word scope="col" { "state" }
            } }
            tbody { @for (place, reading) in readings.iter().enumerate() { tr {
                th.word scope="row" { a href={ "logs/" (place + 1) "/index.html" } { (title(reading)) } }
                td.word { (reading.series.header().game) " " (reading.series.header().options) }
                td { (reading.course.played()) }
                td { (reading.standings.all.rows.len()) }
                td.word { @if let Some(row) = reading.standings.all.rows.first() { (row.name) } }
                td.word { (status(reading)) }
            } } }
        }
    };
    let body = html! {
        header.top { div.wrap { h1 { "Report of " (readings.len()) " sources" } } }
        main.wrap id="main" { (scrolled("Sources", table)) }
    };
    let title = format!("{} sources", readings.len());
    Page { title: &title, depth: Depth::TOP, styles: &[], scripts: &[], data: &[], body }.render()
}
