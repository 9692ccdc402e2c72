//! The ceremony: a page for a projector that reveals the places of the last stage from the last to the first. Without
//! JavaScript it is the list of the places.

use league::stage::output::{last_match, rank, separated_by};
use league::stage::{Stage, StagePlace, StageTable};
use maud::{Markup, html};
use standings::Row;
use text::{counted, printable};

use crate::html::layout::{Page, PageLocation};
use crate::league::bracket::decisive_game;
use crate::league::ranking::signed;
use crate::league::reading::{LeagueReport, STAGES};
use crate::report_folder::FIRST;

/// Most places that are revealed one by one; those behind them come together.
const MOST: usize = 8;

/// A place that is revealed.
struct RevealedPlace {
    place: String,
    names: String,
    how: String,
    game: Option<String>,
}

pub(super) fn page(reading: &LeagueReport, at: PageLocation) -> Markup {
    let is_finished = |stage: &&Stage| stage.is_over() && stage.aborted().is_none();
    let stage = reading.league.stages().iter().rev().find(is_finished);
    let places = match stage {
        Some(stage) => of_stage(reading, stage),
        None => of_standings(reading),
    };
    let root = at.root();
    // While pages stand still, those of the games may not be there.
    let links_games = reading.announced.frozen.is_none();
    let what = match stage {
        Some(stage) => printable(&stage.line.name),
        None => "standings".to_owned(),
    };
    let body = html! {
        div.ceremony {
            header {
                h1 { (reading.title) " " span.quiet { (what) } }
                nav aria-label="Leave" {
                    button.btn.low id="full" type="button" hidden { "Full screen " kbd { "f" } }
                    a.btn.low href={ (root) (if stage.is_some() { STAGES } else { FIRST }) } { "Leave" }
                }
            }
            main id="main" {
                @if places.is_empty() { p.places { "No places yet." } }
                ol.places id="places" { @for it in &places { li {
                    b { (it.place) }
                    h2 { (it.names) }
                    @if let Some(game) = it.game.as_ref().filter(|_| links_games) {
                        a href={ (root) (game) } { "The decisive game" }
                    }
                    p { (it.how) }
                } } }
                section.show id="show" aria-label="Place" data-own hidden {
                    div.flip id="flip" aria-hidden="true" { div { span.back {} span.front {} } }
                    div.words id="words" aria-live="assertive" {}
                }
            }
            footer id="foot" data-own hidden {
                ol id="revealed" aria-label="Revealed so far" {}
                p.keys {
                    button.btn.low id="back" type="button" aria-label="One back" { "←" }
                    button.btn.low.main id="next" type="button" { "Next " kbd { "space" } }
                    span { kbd { "g" } " the decisive game " kbd { "Home" } " from the start" }
                }
            }
        }
    };
    let title = format!("results of {}", reading.title);
    let (styles, scripts) = (&["ceremony.css"], &["ceremony.js"]);
    Page { title: &title, location: at, styles, scripts, data: &[], body }.render()
}

/// The places of a stage, the last ones first.
fn of_stage(reading: &LeagueReport, stage: &Stage) -> Vec<RevealedPlace> {
    let (all, decisions) = (stage.places(), stage.decisions());
    let name = |place: &StagePlace| stage.bot(place.seed).map(|bot| bot.bot.clone());
    let last_table = |place: &StagePlace| {
        let mut own = decisions.all().iter().rev().map(|(table, _)| table);
        own.find(|table: &&StageTable| {
            table.of.is_of_knockout() && table.bots.contains(&place.seed)
        })
    };
    let (first, others) = all.split_at(MOST.min(all.len()));
    let mut revealed: Vec<RevealedPlace> = others
        .chunk_by(|one, other| one.rank == other.rank)
        .map(|group| RevealedPlace {
            place: group.first().map(rank).unwrap_or_default(),
            names: group.iter().filter_map(name).collect::<Vec<_>>().join(", "),
            how: String::new(),
            game: None,
        })
        .rev()
        .collect();
    revealed.extend(first.iter().rev().map(|place| RevealedPlace {
        place: rank(place),
        names: name(place).unwrap_or_default(),
        how: last_match(&decisions, place.seed).unwrap_or_else(|| separated_by(place)),
        game: last_table(place).and_then(|it| decisive_game(reading, stage, it.of, it.bots)),
    }));
    revealed
}

/// The first places of the standings, the last ones first, where no stage has been played.
fn of_standings(reading: &LeagueReport) -> Vec<RevealedPlace> {
    let view = &reading.active().all;
    let how = |row: &Row| {
        let games = counted(row.games, "game", "games");
        let rating = row.rating.map(|it| format!("rating {} after {games}", signed(it.value)));
        let ranks = row.rank_interval.filter(|it| it.best < it.worst);
        let ranks = ranks.map(|it| format!(", may be {} to {}", it.best, it.worst));
        format!("{}{}", rating.unwrap_or(games), ranks.unwrap_or_default())
    };
    let each = |row: &Row| RevealedPlace {
        place: row.rank.to_string(),
        names: row.name.clone(),
        how: how(row),
        game: None,
    };
    view.rows.iter().take(MOST).map(each).rev().collect()
}
