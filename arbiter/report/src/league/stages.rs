//! The stages of a league: their matches, brackets and places.

use maud::{Markup, html};
use text::{counted, printable};

use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::html::standings::BotLinks;
use crate::league::bracket::{Bracket, BracketPart};
use crate::league::frame::{LeagueBotLinks, NavigationPage, bar, footer};
use crate::league::reading::{CEREMONY, LeagueReport, STAGES};
use league::stage::output::{
    decided, format_name, last_match, leavers, match_name, match_points, matches, place_headings,
    rank, ranked_by, separated_by, state, table_name, tied_matches,
};
use league::stage::{
    Decisions, SeparationCause, Stage, StageMatch, StagePlace, StageRound, StageTable, TableResult,
};

/// The most places on the first page of the league.
const FEW: usize = 4;

/// All stages, the latest first.
pub(super) fn page(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let stages = reading.league.stages();
    let body = html! {
        (bar(reading, at, NavigationPage::Stages))
        section.top id="top" aria-label="Title" { div.wrap {
            p.kicker { (reading.title) }
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
                    (podium(stage, &bots))
                    @let groups = stage.groups();
                    @if !groups.is_empty() { div.groups { @for (number, group) in (1..).zip(groups) {
                        (group_table(stage, number, &group, &bots))
                    } } }
                    @for part in BracketPart::all(stage) {
                        @if let Some(bracket) = Bracket::new(reading, stage, &bots, *part) { (bracket.markup()) }
                    }
                    (scrolled("Places", places(stage, &bots, usize::MAX)))
                    details { summary { "All matches" } (scrolled("Matches", table(stage, &bots))) }
                }))
            }
        }
        (footer(reading, at))
    };
    let title = format!("stages of {}", reading.title);
    Page { title: &title, location: at, styles: &["stages.css"], scripts: &[], data: &[], body }
        .render()
}

/// The first three places of a stage that is over, with the way in which each was won.
fn podium(stage: &Stage, bots: &LeagueBotLinks<'_>) -> Markup {
    let is_finished = stage.is_over() && stage.aborted().is_none();
    let places = if is_finished { stage.places() } else { Vec::new() };
    let first = places.iter().filter(|place| place.rank[0] <= 3).take(4);
    let decisions = stage.decisions();
    html! {
        @if is_finished { div.podium { @for place in first { div {
            span class={ "medal place-" (place.rank[0]) } { (rank(place)) }
            div {
                b { (name(stage, place.seed, bots)) }
                p.quiet { (last_match(&decisions, place.seed).unwrap_or_else(|| separated_by(place))) }
            }
        } } }
        p { a.btn href=(CEREMONY) { "Present the results" } } }
    }
}

/// The latest stage, for the first page of the league; nothing without stages.
pub(super) fn latest(reading: &LeagueReport, bots: &LeagueBotLinks<'_>) -> Option<Markup> {
    let stage = reading.league.stages().last()?;
    let places = stage.places();
    let decisions = stage.decisions();
    Some(html! {
        p { b { (title(stage)) } ": " (format_name(&stage.line.format)) ", " (state(stage)) ". " }
        ul.feed { @for place in places.iter().take(FEW) { li {
            span.strong { (rank(place)) }
            span { (name(stage, place.seed, bots)) }
            @if let Some(last) = last_match(&decisions, place.seed) { span.quiet { (last) } }
        } } }
        p.small { a href=(STAGES) { "Matches and results of all stages" } }
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
    let [points, separated] = place_headings(&stage.line.format);
    html! {
        @if places.is_empty() { p { "No places decided yet." } }
        @else { table {
            caption { "places" @if stage.aborted().is_some() { " of the aborted stage" } @if let Some(by) = ranked_by(stage) { ": " (by) } }
            thead { tr {
                th scope="col" { "rank" } th.word scope="col" { "bot" }
                @if has_group { th.spare scope="col" { "group" } }
                @if has_points { th scope="col" { (points) } th.word.spare[has_last] scope="col" { (separated) } }
                @if has_last { th.word scope="col" { "last match" } }
            } }
            tbody { @for place in places.iter().take(most) { tr {
                td { (rank(place)) }
                th.word scope="row" { (name(stage, place.seed, bots))
                    @if stage.leavers().has(place.seed) { " " span.badge.warn { "left" } } }
                @if has_group { td.spare { @if let Some(group) = place.group { (group) } } }
                @if has_points {
                    td { @if let Some(points) = place.half_points { (match_points(points)) } }
                    td.word.spare[has_last] { (separated_by(place)) }
                }
                @if has_last { td.word.wide { @if let Some(last) = last(place) { (last) } } }
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
        div.box {
            h3 { "Group " (number) }
            table {
                caption.hidden { "group " (number) }
                thead { tr {
                    th scope="col" { span.hidden { "rank" } "#" } th scope="col" { "bot" }
                    th.num scope="col" { "won–drawn–lost" } th.num scope="col" { "points" }
                } }
                tbody { @for place in group {
                    @let winners = own(place.seed);
                    @let won = winners.iter().filter(|winner| **winner == Some(place.seed)).count();
                    @let drawn = winners.iter().filter(|winner| winner.is_none()).count();
                    @let separated = separated_by(place);
                    tr.advances[stage.goes_on(place.seed)] {
                        td.quiet { (rank(place)) }
                        th scope="row" {
                            (name(stage, place.seed, bots))
                            @if stage.goes_on(place.seed) { " " span.badge.good { "advances" } }
                            @if stage.leavers().has(place.seed) { " " span.badge.warn { "left" } }
                            @if !separated.is_empty() && place.separated_by != [SeparationCause::MatchPoints] { div.quiet { (separated) } }
                        }
                        td.num { (won) "–" (drawn) "–" (winners.len() - won - drawn) }
                        td.num.strong { @if let Some(points) = place.half_points { (match_points(points)) } }
                    }
                } }
            }
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
