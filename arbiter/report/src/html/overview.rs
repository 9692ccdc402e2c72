//! The first page of a source, and the page above several sources.

use contest::tournament::folder::shown;
use league::replaying::MarkedGames;
use maud::{Markup, html};
use text::counted;

use crate::html::games::{self, GameList};
use crate::html::layout::{Page, PageLocation, bar, footer, section, title};
use crate::html::{bot, figures, standings};
use crate::reading::{SourceReport, SourceState};

/// Most marks that the first page lists.
const MARKS: usize = 100;

pub(crate) fn page(reading: &SourceReport, location: PageLocation) -> Markup {
    let header = reading.series.header();
    let (out_title, out) = standings::excluded_section(reading).unzip();
    let sections = [
        ("corrections", "Corrections", corrections(reading)),
        ("standings", "Standings", Some(standings::section(reading, reading.standings.get()))),
        ("crosstable", "Crosstable", standings::crosstable(reading, &reading.standings.get().all)),
        ("out", out_title.unwrap_or_default(), out),
        ("faults", "Faults", Some(figures::faults(reading))),
        ("seats", "Points per seat", Some(figures::seats(reading))),
        ("times", "Times", Some(figures::times(reading))),
        ("machines", "Machines", figures::machines(reading)),
        ("games", "Games", Some(games::list(reading, GameList::All))),
        ("setup", "Setup", Some(bot::setup(reading))),
        ("verify", "Verify", Some(bot::verify(reading))),
    ];
    let sections: Vec<_> =
        sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    let body = html! {
        (bar(reading, location, &title(reading)))
        section.top id="top" aria-label="Title" {
            div.wrap {
                p.kicker { (header.game) " · " (header.options) }
                h1 { (title(reading)) }
                (status(reading))
                (numbers(reading))
                nav aria-label="Sections" {
                    @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                }
            }
        }
        main.wrap id="main" {
            @for (id, title, body) in sections { (section(id, title, body)) }
        }
        (footer(reading))
    };
    let title = title(reading);
    Page {
        title: &title,
        location,
        styles: &["report.css"],
        scripts: &games::SCRIPTS,
        data: &["data/index.js"],
        body,
    }
    .render()
}

/// What corrections of the league say of this round.
fn corrections(reading: &SourceReport) -> Option<Markup> {
    let marks = &reading.marks;
    (!marks.is_empty()).then(|| {
        html! {
            p { "The tables and figures on this page show the round as played. The standings of the league exclude void "
                "games." }
            @if !marks.corrections.is_empty() {
                ul { @for correction in &marks.corrections { li { (correction) } } }
            }
            ul { @for MarkedGames(first, last, mark) in marks.games.iter().take(MARKS) {
                li { @if first == last { "game " (first) } @else { "games " (first) " to " (last) } ": " (mark) }
            } }
            @if marks.games.len() > MARKS { p.quiet { "The list of games marks the others." } }
        }
    })
}

pub(super) fn state(reading: &SourceReport) -> Markup {
    let (played, games) = (reading.progress.played(), reading.series.header().games);
    let so_far = format!("{played} of {} so far", counted(games, "game", "games"));
    html! {
        @match &reading.state {
            SourceState::Over { .. } => span.badge.good { "finished" },
            SourceState::Continued => { span.badge.good { "extended" } " " (so_far) },
            SourceState::Reading => { span.badge.warn { "loading" } " " (so_far) },
            SourceState::Running => { span.badge.warn { "running" } " " (so_far) },
            SourceState::Left { who } => {
                span.badge.warn { "left" } " " (who) " quit the last game, which was not replayed; "
                (so_far)
            },
            SourceState::Unfinished if reading.progress.is_void() => {
                span.badge.bad { "stopped" } " " (so_far) "; the next game was abandoned after repeated void attempts"
            },
            SourceState::Unfinished => { span.badge.warn { "unfinished" } " " (so_far) },
        }
    }
}

/// The state of the source, and the claims that follow from it.
fn status(reading: &SourceReport) -> Markup {
    html! {
        p.status {
            (state(reading))
            @if matches!(reading.state, SourceState::Over { .. }) {
                " verified: every move and result follows from the inputs"
                @if matches!(reading.state, SourceState::Over { seed: Some(_) }) { ", and every card from the seed" }
            }
        }
    }
}

fn numbers(reading: &SourceReport) -> Markup {
    let view = &reading.standings.get().all;
    let totals = &reading.totals;
    let suspect = totals.suspect().len() as u64;
    let people = reading.series.header().players.iter().filter(|it| it.is_person()).count() as u64;
    let bots = (view.rows.len() as u64).saturating_sub(people);
    let (disqualified, refused) =
        (standings::disqualified(reading).len() as u64, reading.refused.len() as u64);
    let answers: u64 = reading.figures.bots.iter().map(|bot| bot.answers()).sum();
    let numbers = [
        (Some(people).filter(|it| *it > 0), "human player"),
        (Some(bots), "bot"),
        (Some(reading.progress.played()), "game"),
        (Some(view.deals), "deal"),
        (Some(answers), "answer"),
        (Some(view.forfeited).filter(|it| *it > 0), "forfeited game"),
        (Some(reading.progress.skipped()).filter(|it| *it > 0), "skipped game"),
        (Some(totals.given_up()).filter(|it| *it > 0), "abandoned game"),
        (Some(totals.played_again()).filter(|it| *it > 0), "void or replayed game"),
        (Some(suspect).filter(|it| *it > 0), "suspect game"),
        (Some(disqualified).filter(|it| *it > 0), "disqualified bot"),
        (Some(refused).filter(|it| *it > 0), "rejected submission"),
    ];
    html! {
        dl.numbers {
            @for (number, what) in numbers {
                @if let Some(number) = number {
                    div { dt { (what) @if number != 1 { "s" } } dd { (number) } }
                }
            }
        }
    }
}

/// The page that leads to the reports of several sources; the report of the first source lies in `logs/1`.
pub(crate) fn several(readings: &[SourceReport]) -> Markup {
    let body = html! {
        section.top id="top" aria-label="Title" { div.wrap { h1 { "Report on " (readings.len()) " sources" } } }
        main.wrap id="main" {
            ol.sources {
                @for (place, reading) in readings.iter().enumerate() { li { (source(place + 1, reading)) } }
            }
        }
    };
    let title = format!("{} sources", readings.len());
    Page {
        title: &title,
        location: PageLocation::TOP,
        styles: &["report.css"],
        scripts: &[],
        data: &[],
        body,
    }
    .render()
}

/// One source. No table: names and paths are as long as they like, and fit into no column.
fn source(number: usize, reading: &SourceReport) -> Markup {
    let view = &reading.standings.get().all;
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
                    div { dt { "highest rating" } dd { (row.name) } }
                    @if let Some(score) = row.score {
                        div { dt { "its score" } dd { (format!("{:.1}%", 100.0 * score.value)) } }
                    }
                }
            }
        }
    }
}
