//! The ceremony: a page for a projector that reveals the places of the last stage from the last to the first. Without
//! JavaScript it is the list of the places. And certificates: one page for printing for each bot, in one file that needs
//! nothing else.
//!
//! Certificates have the persons' names, which only the organiser knows, so they are no part of the pages that are
//! published.

use maud::{DOCTYPE, Markup, html};
use standings::{RankInterval, Row, Standings};

use crate::assets;
use crate::html::layout::{Page, PageLocation};
use crate::league::bracket::decisive_game;
use crate::league::ranking::signed;
use crate::league::reading::{LeagueReport, STAGES, title};
use crate::report_folder::FIRST;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::participants::{Participant, Participants};
use league::stage::output::{format_name, last_match, leaver_in_words, rank, separated_by, state};
use league::stage::{Stage, StagePlace, StageTable};
use league::{BotVersion, League};
use text::failure::Failure;
use text::{counted, printable};

/// Most places that are revealed one by one; those behind them come together.
const MOST: usize = 8;

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
                    button.btn.low id="back" type="button" aria-label="Previous" { "←" }
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
            body { (assets::art("")) main id="main" { @for certificate in &body { (certificate) } } }
        }
    };
    Ok(Certificates { text: page.into_string(), number: all.len() })
}

const STYLE: &str = "body { font: 17px/1.5 Georgia, 'Times New Roman', serif; margin: 0; color: #17211c; background: #eaeeeb; } \
.art { position: absolute; } \
article { position: relative; max-width: 40rem; margin: 2rem auto; padding: 3.5rem 3rem 2.5rem; background: #fffdf8; border: 2px solid #0b6b4b; outline: 1px solid #8a5a00; outline-offset: -12px; text-align: center; break-after: page; } \
article:last-child { break-after: auto; } p { margin: .35rem 0; overflow-wrap: anywhere; text-wrap: balance; } .contest { color: #55625b; letter-spacing: .04em; } \
.corner { position: absolute; width: 22px; height: 22px; fill: #0b6b4b; } .red { fill: #b3261e; } .corner:nth-of-type(1) { left: 24px; top: 24px; } .corner:nth-of-type(2) { right: 24px; top: 24px; } .corner:nth-of-type(3) { left: 24px; bottom: 24px; } .corner:nth-of-type(4) { right: 24px; bottom: 24px; } \
.ace { display: block; width: 92px; margin: 0 auto 1rem; fill: #17211c; color: #17211c; } .ace rect { fill: #fff; stroke: #d4cdbd; stroke-width: 4; } .first .ace rect { stroke: #d9a334; stroke-width: 12; } [href^='#rank'] { fill: none; stroke: currentColor; stroke-width: 7.5; stroke-linecap: round; stroke-linejoin: round; } \
h1 { font-weight: 400; font-size: 2.1rem; letter-spacing: .16em; text-transform: uppercase; margin: 0 0 1.75rem; color: #0b6b4b; } \
.name { font-size: 2rem; line-height: 1.2; margin: .5rem 0; } .place { font-size: 1.6rem; margin: 1.5rem 0 .25rem; color: #8a5a00; } \
.proof { font: 11px/1.5 ui-monospace, Menlo, Consolas, monospace; color: #55625b; margin-top: 2.5rem; } \
.signed { display: flex; gap: 3rem; margin-top: 4.5rem; } .signed span { flex: 1; border-top: 1px solid #777; padding-top: .25rem; font-size: .85rem; } \
@media (max-width: 30rem) { article { margin: 0; padding: 3.5rem 1.75rem 4rem; } .signed { gap: 1.5rem; } } \
@media print { body { background: none; } article { margin: 0 auto; min-height: 88vh; box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact; } }";

/// The drawings around the text: a suit in each corner, and the ace of spades.
fn drawings() -> Markup {
    html! {
        @for suit in ["S", "H", "D", "C"] {
            svg class={ "corner" @if matches!(suit, "H" | "D") { " red" } } viewBox="0 0 100 100" aria-hidden="true" {
                use href={ "#suit-" (suit) } {}
            }
        }
        svg.ace viewBox="-6 -6 262 362" aria-hidden="true" {
            rect width="250" height="350" rx="16" {}
            use href="#rank-A" x="13" y="15" width="48" height="63" {}
            use href="#suit-S" x="18" y="82" width="38" height="38" {}
            use href="#suit-S" x="70" y="120" width="110" height="110" {}
            g transform="rotate(180 125 175)" {
                use href="#rank-A" x="13" y="15" width="48" height="63" {}
                use href="#suit-S" x="18" y="82" width="38" height="38" {}
            }
        }
    }
}

struct EarnedPlace<'a> {
    bot: BotVersion,
    /// Its place in the stage and its last match there, if it was in one that is over.
    stage: Option<(String, Option<String>, &'a Stage)>,
    /// Its rank in the standings, if it has played.
    league: Option<LeagueRank>,
}

struct LeagueRank {
    rank: usize,
    /// The number of bots there.
    of: usize,
    games: u64,
    /// The ranks that the games leave open.
    range: Option<RankInterval>,
}

fn earned_places<'a>(stage: Option<&'a Stage>, standings: &Standings) -> Vec<EarnedPlace<'a>> {
    let rows = &standings.all.rows;
    let in_league = |bot: &BotVersion| {
        let row = rows.iter().find(|row| row.name == bot.to_string())?;
        let (rank, games, range) = (row.rank, row.games, row.rank_interval);
        (games > 0).then_some(LeagueRank { rank, of: rows.len(), games, range })
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
        @let is_first = match stage {
            Some((rank, ..)) => rank == "1",
            None => in_league.as_ref().is_some_and(|it| it.rank == 1),
        };
        article.first[is_first] {
            (drawings())
            p.contest { (title) " · " (league.kind().name()) }
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
            @if let Some(LeagueRank { rank, of, games, range }) = in_league {
                p.place { "Rank " (rank) " of " (of) }
                p {
                    "in the league after " (counted(*games, "game", "games"))
                    @match range {
                        Some(range) if range.best < range.worst => {
                            "; ranks " (range.best) " to " (range.worst) " are possible with 95% confidence"
                        },
                        Some(_) => "; no other rank is possible with 95% confidence",
                        None => {},
                    }
                }
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
