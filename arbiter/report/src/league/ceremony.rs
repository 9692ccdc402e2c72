//! The ceremony: a page for a projector that reveals the places of the last stage from the last to the first. Without
//! JavaScript it is the list of the places.
//!
//! They have the persons' names, which only the organiser knows, so they are no part of the pages that are published.

use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::participants::{Participant, Participants};
use league::stage::output::{format_name, last_match, leaver_in_words, rank, separated_by, state};
use league::stage::{Stage, StagePlace, StageTable};
use league::{BotVersion, League};
use maud::{DOCTYPE, Markup, html};
use standings::{Row, Standings};
use text::failure::Failure;
use text::{counted, printable};

use crate::html::layout::{Page, PageLocation};
use crate::league::bracket::decisive_game;
use crate::league::reading::{LeagueReport, STAGES, title};
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
        let rating = row.rating.map(|it| format!("rating {:.0} after {games}", it.value));
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

/// The certificates of a league.
#[derive(Debug)]
pub struct Certificates {
    /// A whole page of HTML.
    pub text: String,
    pub number: usize,
}

/// Returns the certificates of all bots that play, the best one first: by the last stage that is over, and by the
/// standings.
pub fn certificates(folder: &LeagueFolder) -> Result<Certificates, Failure> {
    let league = folder.read()?;
    let index = LeagueIndex::open(&league, folder)?;
    let standings = league.active_in(&index.standings());
    let participants = Participants::read(folder)?;
    let name = title(folder.path());
    let stage = league.stages().iter().rev().find(|stage| stage.is_over());
    let all = earned_places(stage, &standings);
    let body: Vec<Markup> = all
        .iter()
        .map(|it| {
            let suspect = index.suspect_forfeits(&league, &it.bot);
            certificate(&name, &league, it, (participants.of_bot(&it.bot.bot), suspect))
        })
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Certificates of " (name) " · arbiter" }
                link rel="icon" href="data:,";
                style { (STYLE) }
            }
            body { main id="main" { @for certificate in &body { (certificate) } } }
        }
    };
    Ok(Certificates { text: page.into_string(), number: all.len() })
}

const STYLE: &str = "body { font: 17px/1.5 Georgia, serif; margin: 0; color: #1a1a1a; background: #fff; } \
article { max-width: 40rem; margin: 2rem auto; padding: 3rem 2rem; border: 3px double #777; text-align: center; break-after: page; } \
article:last-child { break-after: auto; } h1 { font-weight: 400; letter-spacing: .06em; margin: 0 0 2rem; } \
.name { font-size: 2rem; margin: .5rem 0; overflow-wrap: anywhere; } .place { font-size: 1.4rem; margin: 1.5rem 0 .25rem; } \
.proof { font: 11px/1.5 monospace; color: #555; margin-top: 3rem; overflow-wrap: anywhere; } \
.signed { display: flex; gap: 3rem; margin-top: 4rem; } .signed span { flex: 1; border-top: 1px solid #777; padding-top: .25rem; font-size: .85rem; } \
@media print { article { border: 0; margin: 0 auto; padding: 5rem 0 0; } }";

/// A place that a bot has earned.
struct EarnedPlace<'a> {
    bot: BotVersion,
    /// Its place in the stage and its last match there, if it was in one that is over.
    stage: Option<(String, Option<String>, &'a Stage)>,
    /// Its rank in the standings, the number of bots there and its games, if it has played.
    league: Option<(usize, usize, u64)>,
}

fn earned_places<'a>(stage: Option<&'a Stage>, standings: &Standings) -> Vec<EarnedPlace<'a>> {
    let rows = &standings.all.rows;
    let in_league = |bot: &BotVersion| {
        let row = rows.iter().find(|row| row.name == bot.to_string())?;
        (row.games > 0).then_some((row.rank, rows.len(), row.games))
    };
    let mut all: Vec<EarnedPlace<'a>> = Vec::new();
    if let Some(stage) = stage {
        let decisions = stage.decisions();
        for place in stage.places() {
            if let Some(bot) = stage.bot(place.seed) {
                let league = in_league(bot);
                all.push(EarnedPlace {
                    bot: bot.clone(),
                    stage: Some((rank(&place), last_match(&decisions, place.seed), stage)),
                    league,
                });
            }
        }
    }
    for row in rows {
        let Ok(bot) = row.name.parse::<BotVersion>() else { continue };
        if !all.iter().any(|it| it.bot.bot == bot.bot) {
            let league = in_league(&bot);
            all.push(EarnedPlace { bot, stage: None, league });
        }
    }
    all
}

fn certificate(
    title: &str,
    league: &League,
    earned: &EarnedPlace<'_>,
    (participant, suspect): (Option<&Participant>, u64),
) -> Markup {
    let EarnedPlace { bot, stage, league: in_league } = earned;
    let person = participant.and_then(|it| it.person.as_deref());
    let members: Vec<&str> = participant.map(|it| it.members().collect()).unwrap_or_default();
    html! {
        article {
            p { (title) " · " (league.kind().name()) }
            h1 { "Certificate" }
            @if let Some(person) = person { p.name { (printable(person)) } p { "with the bot" } }
            p.name { (bot.bot) }
            @if !members.is_empty() { p { "by " (members.join(", ")) } }
            @if let Some((rank, last, stage)) = stage {
                p.place { "Place " (rank) " of " (stage.line.bots.len()) }
                p { "in stage “" (printable(&stage.line.name)) "”, " (format_name(&stage.line.format))
                    @if stage.aborted().is_some() { ", " (state(stage)) } }
                @if let Some(last) = last { p { (last) } }
                @for leaver in stage.leavers().all().iter().filter(|it| stage.bot(it.seed) == Some(bot)) {
                    p { (leaver_in_words(stage, leaver)) }
                }
            }
            @if let Some((rank, of, games)) = in_league {
                p.place { "Rank " (rank) " of " (of) }
                p { "in the league after " (counted(*games, "game", "games")) }
            }
            @if suspect > 0 {
                p { (counted(suspect, "forfeit is", "forfeits are")) " suspect: the machine was busy" }
            }
            div.signed { span { "date" } span { "organiser" } }
            p.proof {
                "league head: " (league.head())
                br;
                "verify with " code { "arbiter verify --head" } "; bot version: " (bot.version)
            }
        }
    }
}
