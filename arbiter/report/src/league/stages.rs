//! The stages of a league: their matches, brackets and places.

use maud::{Markup, html};
use text::{counted, printable};

use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::html::standings::BotLinks;
use crate::league::frame::{LeagueBotLinks, footer};
use crate::league::reading::LeagueReport;
use league::stage::output::{
    decided, format_name, last_match, leavers, match_name, match_points, matches, rank, ranked_by,
    separated_by, state, table_name, tied_matches,
};
use league::stage::{
    Decisions, Stage, StageFormat, StageMatch, StagePlace, StageRound, StageTable, TableResult,
};

/// The file of the page.
pub(super) const FILE: &str = "stages.html";

/// The most places on the first page of the league.
const FEW: usize = 8;

/// All stages, the latest first.
pub(super) fn page(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let stages = reading.league.stages();
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="index.html" { "← League" } }
            h1 { "Stages" }
        } }
        main.wrap id="main" { (reading.announced.lines())
            @if stages.is_empty() { p { "No stages announced yet." } }
            @for stage in stages.iter().rev() {
                (section(&format!("stage-{}", stage.line.stage), &title(stage), html! {
                    p.quiet { (format_name(&stage.line.format)) ", "
                        (counted(stage.line.deals, "deal", "deals")) " per match, "
                        (state(stage))
                        @if let Some(tied) = tied_matches(stage) { "; " (tied) } }
                    @for left in leavers(stage) { p.quiet { (left) } }
                    @for part in BracketPart::of(stage) {
                        @if let Some(bracket) = bracket(stage, *part, &bots) { (bracket) }
                    }
                    @for (number, group) in (1..).zip(stage.groups()) {
                        (scrolled(&format!("Group {number}"), group_table(stage, number, &group, &bots)))
                    }
                    (scrolled("Places", places(stage, &bots, usize::MAX)))
                    (scrolled("Matches", table(stage, &bots)))
                }))
            }
        }
        (footer(reading))
    };
    let title = format!("stages of {}", reading.title);
    Page { title: &title, location: at, styles: &[], scripts: &[], data: &[], body }.render()
}

/// The latest stage, for the first page of the league; nothing without stages.
pub(super) fn latest(reading: &LeagueReport, bots: &LeagueBotLinks<'_>) -> Option<Markup> {
    let stage = reading.league.stages().last()?;
    Some(html! {
        p { b { (title(stage)) } ": " (format_name(&stage.line.format)) ", "
            (state(stage)) ". "
            a href=(FILE) { "All stages: matches and results" } }
        (scrolled("Places", places(stage, bots, FEW)))
    })
}

fn title(stage: &Stage) -> String {
    let name = printable(&stage.line.name);
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn name(stage: &Stage, seed: usize, bots: &LeagueBotLinks<'_>) -> Markup {
    stage.bot(seed).map_or_else(|| html! {}, |bot| bots.name(&bot.to_string()))
}

fn places(stage: &Stage, bots: &LeagueBotLinks<'_>, most: usize) -> Markup {
    let places = stage.places();
    let has_group = places.iter().any(|place| place.group.is_some());
    let has_points = places.iter().any(|place| place.half_points.is_some());
    let decisions = stage.decisions();
    let last = |place: &StagePlace| last_match(&decisions, place.seed);
    let has_last = places.iter().any(|place| last(place).is_some());
    html! {
        @if places.is_empty() { p { "No places decided yet." } }
        @else { table {
            caption { "places" @if stage.aborted().is_some() { " of the aborted stage" } @if let Some(by) = ranked_by(stage) { ": " (by) } }
            thead { tr {
                th scope="col" { "rank" } th.word scope="col" { "bot" }
                @if has_group { th scope="col" { "group" } }
                @if has_points { th scope="col" { "points" } th.word scope="col" { "separated by" } }
                @if has_last { th.word scope="col" { "last match" } }
            } }
            tbody { @for place in places.iter().take(most) { tr {
                td { (rank(place)) }
                th.word scope="row" { (name(stage, place.seed, bots))
                    @if stage.leavers().has(place.seed) { " " span.badge.warn { "left" } } }
                @if has_group { td { @if let Some(group) = place.group { (group) } } }
                @if has_points {
                    td { @if let Some(points) = place.half_points { (match_points(points)) } }
                    td.word { (separated_by(place)) }
                }
                @if has_last { td.word { @if let Some(last) = last(place) { (last) } } }
            } } }
        } }
    }
}

/// The winner of the match of a table, by its seed.
fn winner(decisions: &Decisions, table: &StageTable) -> Option<usize> {
    decisions.of_table(table)?.side.map(|side| table.bots[side])
}

/// A group with the matches of its bots so far.
fn group_table(
    stage: &Stage,
    number: usize,
    group: &[StagePlace],
    bots: &LeagueBotLinks<'_>,
) -> Markup {
    let of = StageMatch::Group(number);
    let decisions = stage.decisions();
    let own = |seed: usize| {
        let played = stage.rounds().iter().flat_map(StageRound::played);
        let own = played.filter(|(table, _)| table.of == of && table.bots.contains(&seed));
        own.map(|(table, _)| winner(&decisions, &table)).collect::<Vec<_>>()
    };
    html! {
        table {
            caption { "group " (number) }
            thead { tr {
                th scope="col" { "rank" } th.word scope="col" { "bot" } th scope="col" { "points" }
                th scope="col" { "matches" } th scope="col" { "won" } th scope="col" { "drawn" }
                th scope="col" { "lost" } th.word scope="col" { "separated by" } th.word scope="col" {}
            } }
            tbody { @for place in group {
                @let winners = own(place.seed);
                @let won = winners.iter().filter(|winner| **winner == Some(place.seed)).count();
                @let drawn = winners.iter().filter(|winner| winner.is_none()).count();
                tr {
                    td { (rank(place)) }
                    th.word scope="row" { (name(stage, place.seed, bots)) }
                    td { @if let Some(points) = place.half_points { (match_points(points)) } }
                    td { (winners.len()) } td { (won) } td { (drawn) } td { (winners.len() - won - drawn) }
                    td.word { (separated_by(place)) }
                    td.word { @if stage.goes_on(place.seed) { span.badge.good { "advances" } } }
                }
            } }
        }
    }
}

fn table(stage: &Stage, bots: &LeagueBotLinks<'_>) -> Markup {
    let decisions = stage.decisions();
    let games = |result: &TableResult| {
        let [one, other] = result.won;
        html! { (one) " : " (other) @if result.drawn > 0 { ", " (result.drawn) " drawn" } }
    };
    html! {
        table {
            caption { "matches: games won and points per bot" }
            thead { tr {
                th scope="col" { "round" } th.word scope="col" { "match" } th.word scope="col" { "bots" }
                th scope="col" { "games" } th scope="col" { "points" } th.word scope="col" { "winner" }
                th.word scope="col" { "decided" }
            } }
            tbody { @for round in stage.rounds() {
                @for (table, result) in matches(round) { tr {
                    td { a href={ "rounds/" (round.round) "/index.html" } { (round.round) } }
                    td.word { (table_name(table)) }
                    th.word scope="row" { (name(stage, table.bots[0], bots)) " : " (name(stage, table.bots[1], bots)) }
                    @match result {
                        None => { td {} td {} td.word { span.badge.warn { "in progress" } } td.word {} }
                        Some(result) => {
                            td { (games(result)) }
                            td { (result.points[0]) " : " (result.points[1]) }
                            @match decisions.of_table(table).filter(|_| table.decider.is_none()) {
                                Some(decision) => {
                                    td.word { @match decision.side {
                                        Some(side) => (name(stage, table.bots[side], bots)),
                                        None => "draw",
                                    } }
                                    td.word { (decided(decision)) }
                                }
                                None if table.decider.is_some() => { td.word {} td.word {} }
                                None => { td.word {} td.word { "tied" } }
                            }
                        }
                    }
                } }
                @for bye in stage.byes(round) { tr {
                    td { a href={ "rounds/" (round.round) "/index.html" } { (round.round) } }
                    td.word { "bye" } th.word scope="row" { (name(stage, bye, bots)) }
                    td {} td {} td.word {} td.word { "bye" }
                } }
            }
            @for table in &stage.walkovers() { tr {
                td {}
                td.word { (match_name(table.of)) }
                th.word scope="row" { (name(stage, table.bots[0], bots)) " : " (name(stage, table.bots[1], bots)) }
                td {} td {}
                td.word { @if let Some(winner) = winner(&decisions, table) { (name(stage, winner, bots)) } }
                td.word { @if let Some(decision) = decisions.of_table(table) { (decided(decision)) } }
            } } }
        }
    }
}

/// A part of the matches of a knockout that is drawn alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketPart {
    Whole,
    Winners,
    Losers,
    Finals,
}

impl BracketPart {
    fn of(stage: &Stage) -> &'static [BracketPart] {
        match stage.line.format {
            StageFormat::Swiss { .. } => &[],
            StageFormat::Knockout { .. } | StageFormat::Groups(_) => &[BracketPart::Whole],
            StageFormat::DoubleElimination => {
                &[BracketPart::Winners, BracketPart::Losers, BracketPart::Finals]
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            BracketPart::Whole => "Bracket",
            BracketPart::Winners => "Winners' bracket",
            BracketPart::Losers => "Losers' bracket",
            BracketPart::Finals => "Grand final",
        }
    }

    fn has(self, of: StageMatch) -> bool {
        match self {
            BracketPart::Whole => of.is_of_knockout(),
            BracketPart::Winners => matches!(of, StageMatch::Winners(_)),
            BracketPart::Losers => matches!(of, StageMatch::Losers { .. }),
            BracketPart::Finals => matches!(of, StageMatch::Final | StageMatch::SecondFinal),
        }
    }

    /// The bots without an opponent in a round. Those of the winners' bracket have none in its first round alone.
    fn byes(self, stage: &Stage, round: &StageRound) -> Vec<usize> {
        let is_first = stage.rounds().first().is_some_and(|first| first.round == round.round);
        match self {
            BracketPart::Winners if !is_first => Vec::new(),
            BracketPart::Losers if is_first => Vec::new(),
            BracketPart::Finals => Vec::new(),
            BracketPart::Whole | BracketPart::Winners | BracketPart::Losers => stage.byes(round),
        }
    }
}

/// The rounds of a part of a knockout side by side, each match with the way in which it was decided; none without one.
fn bracket(stage: &Stage, part: BracketPart, bots: &LeagueBotLinks<'_>) -> Option<Markup> {
    let is_match = |table: &StageTable| part.has(table.of) && table.decider.is_none();
    let is_round = |round: &&StageRound| {
        let has_bye = || part != BracketPart::Whole && !part.byes(stage, round).is_empty();
        round.tables.iter().any(is_match) || has_bye()
    };
    let rounds: Vec<&StageRound> = stage.rounds().iter().filter(is_round).collect();
    let decisions = stage.decisions();
    let line = |table: &StageTable, result: Option<&TableResult>, side: usize| {
        let won = winner(&decisions, table) == Some(table.bots[side]);
        html! {
            div.won[won] {
                span { (name(stage, table.bots[side], bots)) }
                span.games { @if let Some(result) = result { (result.won[side]) } }
            }
        }
    };
    let how = |table: &StageTable, result: Option<&TableResult>| match decisions.of_table(table) {
        Some(decision) => decided(decision),
        None if result.is_some() => "tied, extra deals".to_owned(),
        None => "in progress".to_owned(),
    };
    let mut walkovers = stage.walkovers();
    walkovers.retain(is_match);
    (!rounds.is_empty() || !walkovers.is_empty()).then(|| {
        html! {
            @if part != BracketPart::Whole { h3 { (part.name()) } }
            div.bracket role="region" aria-label=(part.name()) tabindex="0" {
                @for round in rounds { ol {
                    @for (table, result) in matches(round).filter(|(table, _)| is_match(table)) { li {
                        p.quiet { (match_name(table.of)) }
                        (line(table, result, 0)) (line(table, result, 1))
                        p.quiet { (how(table, result)) }
                    } }
                    @for bye in part.byes(stage, round) { li {
                        p.quiet { "bye" }
                        div.won { span { (name(stage, bye, bots)) } }
                    } }
                } }
                @if !walkovers.is_empty() { ol {
                    @for table in &walkovers { li {
                        p.quiet { (match_name(table.of)) }
                        (line(table, None, 0)) (line(table, None, 1))
                        p.quiet { (how(table, None)) }
                    } }
                } }
            }
        }
    })
}
