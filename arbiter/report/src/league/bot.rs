//! The page of one bot of a league, with all of its versions.

use maud::{Markup, html};
use text::printable;

use crate::chart::{self, Curve};
use crate::html::layout::{Page, PageLocation, figure, scrolled, section};
use crate::html::standings::BotLinks;
use crate::league::frame::{LeagueBotLinks, footer, membership};
use crate::league::reading::LeagueReport;
use league::index::{ForfeitedGame, IndexError, LeagueIndex, RoundGame};
use league::state::{LeagueMember, Membership};
use standings::{Entrant, Pairing, Row};
use text::counted;
use text::shell::without_folders;
use text::shell::word;

/// The most faults of a bot that are listed, over all of its versions.
pub(super) const FAULTS: usize = 50;
/// The most lost games against one other bot that are listed.
pub(super) const LOST: usize = 30;

pub(super) fn page(
    reading: &LeagueReport,
    name: &str,
    index: &LeagueIndex,
    at: PageLocation,
) -> Result<Markup, IndexError> {
    let versions: Vec<(Entrant, &LeagueMember)> = reading
        .league
        .members()
        .iter()
        .enumerate()
        .filter(|(_, member)| member.entry.bot.bot == name)
        .map(|(place, member)| (Entrant(place), member))
        .rev()
        .collect();
    let bots = LeagueBotLinks { reading, root: at.root() };
    let curves = curves(&versions, index)?;
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="../index.html" { "← League" } }
            h1 { (name) }
            @if let Some(current) = reading.league.current(name) {
                p.status { (current.entry.bot) " " (membership(current)) }
            }
        } }
        main.wrap id="main" { (reading.announced.lines())
            (section("versions", "Versions", table(reading, &versions)))
            @if let Some(chart) = chart::curves(&curves) {
                (section("rating", "Rating history", figure(chart, "Rating after each round played.")))
            }
            (section("opponents", "Head-to-head", opponents(reading, &bots, &versions, index)?))
            (section("faults", "Faults", faults(reading, &versions, index)?))
        }
        (footer(reading))
    };
    let title = format!("{name} in {}", reading.title);
    Ok(Page { title: &title, location: at, styles: &[], scripts: &[], data: &[], body }.render())
}

/// The ratings of each version over the games of the league.
fn curves(
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Vec<Curve>, IndexError> {
    let mut curves = Vec::new();
    for (entrant, member) in versions {
        let points = index.ratings(*entrant)?.into_iter().map(|it| (it.games, it.rating)).collect();
        curves.push(Curve { name: member.entry.bot.to_string(), points });
    }
    Ok(curves)
}

fn row<'a>(reading: &'a LeagueReport, member: &LeagueMember) -> Option<&'a Row> {
    let name = member.entry.bot.to_string();
    reading.all.all.rows.iter().find(|row| row.name == name)
}

fn table(reading: &LeagueReport, versions: &[(Entrant, &LeagueMember)]) -> Markup {
    let share =
        |row: &Row| row.score.map_or("-".to_owned(), |it| format!("{:.1}%", 100.0 * it.value));
    let rating = |row: &Row| row.rating.map_or("-".to_owned(), |it| format!("{:.0}", it.value));
    let table = html! {
        table {
            caption { "versions, newest first" }
            thead { tr {
                th.word scope="col" { "version" } th.word scope="col" { "status" }
                @for title in ["games", "won", "drawn", "lost", "score", "rating", "forfeits"] { th scope="col" { (title) } }
                th.word scope="col" { "command" }
            } }
            tbody { @for (_, member) in versions { tr {
                th.word scope="row" { (member.entry.bot) }
                td.word { (membership(member)) }
                @match row(reading, member) {
                    Some(row) => {
                        td { (row.games) } td { (row.won) } td { (row.drawn) } td { (row.lost) }
                        td { (share(row)) } td { (rating(row)) }
                        td { (row.forfeits.values().sum::<u64>()) }
                    },
                    None => { @for _ in 0..7 { td { "-" } } },
                }
                td.word.wide { code { (printable(&without_folders(&member.entry.command))) } }
            } } }
        }
    };
    scrolled("Versions", table)
}

/// The results against each opponent of the version that plays, or played last, with the games that it lost.
fn opponents(
    reading: &LeagueReport,
    bots: &LeagueBotLinks<'_>,
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Markup, IndexError> {
    let mut played = versions.iter().filter(|(_, it)| it.membership != Membership::Replaced);
    let Some((entrant, current)) = played.next() else { return Ok(html! {}) };
    let view = &reading.all.all;
    let name = current.entry.bot.to_string();
    let Some(place) = view.rows.iter().position(|row| row.name == name) else {
        return Ok(html! { p { "No games against other bots yet." } });
    };
    let met: Vec<Pairing> =
        (0..view.rows.len()).filter_map(|other| view.pairing(place, other)).collect();
    let mut sections = Vec::new();
    for pairing in &met {
        let other = pairing.opponent.parse().ok().and_then(|other| reading.league.entrant(&other));
        let lost = match other {
            Some(other) => index.lost(*entrant, other, LOST)?,
            None => Vec::new(),
        };
        sections.push((pairing, other, lost));
    }
    Ok(html! {
        @if sections.is_empty() { p { (name) ": no games against other bots yet." } }
        @for (pairing, other, lost) in &sections {
            section.against id=[other.map(|other| format!("against-{}", other.0 + 1))] {
                h3 { (name) " against " (bots.name(&pairing.opponent)) }
                p {
                    (counted(pairing.games, "game", "games")) ": won " (pairing.won) ", drawn " (pairing.drawn)
                    ", lost " (pairing.lost)
                    @if let Some(score) = pairing.score { ", score " (format!("{:.1}%", 100.0 * score.value)) }
                }
                @if !lost.is_empty() {
                    p { "Recent losses: " (games(lost)) }
                }
            }
        }
    })
}

fn games(games: &[RoundGame]) -> Markup {
    html! { @for (place, game) in games.iter().enumerate() {
        @if place > 0 { ", " }
        a href=(address(game, "")) { (game.round) "/" (game.game) }
    } }
}

fn address(game: &RoundGame, step: &str) -> String {
    format!("../rounds/{}/game.html#game={}{step}", game.round, game.game)
}

fn faults(
    reading: &LeagueReport,
    versions: &[(Entrant, &LeagueMember)],
    index: &LeagueIndex,
) -> Result<Markup, IndexError> {
    let mut all: Vec<(&LeagueMember, ForfeitedGame)> = Vec::new();
    for (entrant, member) in versions {
        let most = FAULTS.saturating_sub(all.len());
        all.extend(index.faults(*entrant, None, most)?.into_iter().map(|fault| (*member, fault)));
    }
    let path = word(reading.title.as_ref());
    let table = html! {
        table {
            caption { "forfeited games, latest first, at most " (FAULTS) "; each links to the answer" }
            thead { tr {
                th.word scope="col" { "version" } th.word scope="col" { "round and game" }
                th scope="col" { "seat" } th.word scope="col" { "verdict" }
                th.word scope="col" { "reproduce with" }
            } }
            tbody { @for (member, fault) in &all { tr {
                th.word scope="row" { (member.entry.bot) }
                td.word { a href=(address(&fault.game, "&step=fault")) { (fault.game.round) "/" (fault.game.game) } }
                td { (fault.seat) } td.word { (fault.fault) @if fault.is_suspect { ", suspect" } }
                td.word.wide { code { "arbiter rerun " (path) "/rounds/" (fault.game.round) " --game " (fault.game.game) " --seat " (fault.seat) } }
            } } }
        }
    };
    Ok(match all.is_empty() {
        true => html! { p { "No faults in finished rounds." } },
        false => scrolled("Faults", table),
    })
}
