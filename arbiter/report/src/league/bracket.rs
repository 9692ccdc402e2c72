//! The bracket of a knockout: each match stands behind the matches from which its bots came.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::html::standings::BotLinks;
use crate::league::frame::LeagueBotLinks;
use crate::league::reading::LeagueReport;
use league::stage::output::{decided, match_name, matches};
use league::stage::{
    DecisionCause, Decisions, Stage, StageFormat, StageMatch, StageTable, TableResult,
};

/// The most rounds that fit into the width of a page.
const ROUNDS: usize = 4;

/// A part of the matches of a knockout that is drawn alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BracketPart {
    Whole,
    Winners,
    Losers,
    Finals,
}

impl BracketPart {
    /// The parts of a stage, in their order.
    pub(super) fn all(stage: &Stage) -> &'static [BracketPart] {
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

    /// The place from which a bot came that has no match before one of this part.
    fn origin(self) -> &'static str {
        match self {
            BracketPart::Whole | BracketPart::Winners => "bye",
            BracketPart::Losers | BracketPart::Finals => "from the winners' bracket",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BracketMatch {
    table: StageTable,
    /// None while it is played, and where a bot had left.
    result: Option<TableResult>,
}

pub(super) struct Bracket<'a> {
    reading: &'a LeagueReport,
    stage: &'a Stage,
    bots: &'a LeagueBotLinks<'a>,
    part: BracketPart,
    decisions: Decisions,
    /// Its matches in the order in which they were played.
    matches: Vec<BracketMatch>,
}

impl<'a> Bracket<'a> {
    /// A part of the bracket of a stage; none if it has no match yet.
    pub(super) fn new(
        reading: &'a LeagueReport,
        stage: &'a Stage,
        bots: &'a LeagueBotLinks<'a>,
        part: BracketPart,
    ) -> Option<Bracket<'a>> {
        let is_here = |table: &StageTable| part.has(table.of) && table.decider.is_none();
        let mut all = Vec::new();
        for round in stage.rounds() {
            let here = matches(round).filter(|(table, _)| is_here(table));
            all.extend(
                here.map(|(table, result)| BracketMatch { table: *table, result: result.copied() }),
            );
        }
        let walkovers = stage.walkovers();
        let walkovers = walkovers.iter().filter(|table| is_here(table));
        all.extend(walkovers.map(|table| BracketMatch { table: *table, result: None }));
        let decisions = stage.decisions();
        (!all.is_empty()).then_some(Bracket { reading, stage, bots, part, decisions, matches: all })
    }

    pub(super) fn markup(&self) -> Markup {
        let feeders: Vec<[Option<usize>; 2]> =
            (0..self.matches.len()).map(|at| self.feeders(at)).collect();
        let is_root = |at: &usize| feeders.iter().flatten().all(|feeder| *feeder != Some(*at));
        let roots = (0..self.matches.len()).filter(is_root);
        html! {
            @if self.part != BracketPart::Whole { h3 { (self.part.name()) } }
            div.bracket.long[self.rounds() > ROUNDS] role="group" aria-label=(self.part.name()) tabindex="0" {
                div { @for root in roots { (self.node(root, &feeders)) } }
            }
        }
    }

    fn rounds(&self) -> usize {
        let all: BTreeSet<StageMatch> = self.matches.iter().map(|it| it.table.of).collect();
        all.iter().filter(|of| **of != StageMatch::Third).count()
    }

    /// The matches from which the bots of this one came: the last ones that they played before it.
    fn feeders(&self, at: usize) -> [Option<usize>; 2] {
        if self.matches[at].table.of == StageMatch::Third {
            return [None, None];
        }
        self.matches[at].table.bots.map(|bot| {
            let before = self.matches[..at].iter();
            before
                .rev()
                .position(|it| it.table.of != StageMatch::Third && it.table.bots.contains(&bot))
                .map(|back| at - 1 - back)
        })
    }

    /// A match with all that led to it.
    fn node(&self, at: usize, feeders: &[[Option<usize>; 2]]) -> Markup {
        let bots = self.matches[at].table.bots;
        let has_any = feeders[at].iter().any(Option::is_some);
        let mut sides: Vec<(usize, Option<usize>)> = bots.into_iter().zip(feeders[at]).collect();
        // Both bots of a second final come from the first one.
        sides.dedup_by(|one, other| one.1.is_some() && one.1 == other.1);
        html! {
            div.node {
                @if has_any { div.feeders {
                    @for (bot, feeder) in sides { @match feeder {
                        Some(feeder) => (self.node(feeder, feeders)),
                        None => div.node { article.tie { (self.side(bot, None)) p.how { (self.part.origin()) } } },
                    } }
                } }
                (self.tie(&self.matches[at]))
            }
        }
    }

    fn side(&self, bot: usize, games: Option<(u64, bool)>) -> Markup {
        html! {
            div.side.won[games.is_none_or(|(_, has_won)| has_won)] {
                span.quiet { (bot + 1) }
                span { @if let Some(name) = self.stage.bot(bot) { (self.bots.name(&name.to_string())) } }
                @if let Some((won, _)) = games { b { (won) } }
            }
        }
    }

    /// A match with its score, and the way in which it was decided.
    fn tie(&self, it: &BracketMatch) -> Markup {
        let BracketMatch { table, result, .. } = it;
        let decision = self.decisions.of_table(table);
        let side = |side: usize| {
            let won = result.map(|it| it.won[side]).unwrap_or_default();
            let has_won = decision.is_some_and(|it| it.side == Some(side));
            self.side(table.bots[side], Some((won, has_won)))
        };
        let is_final = matches!(
            table.of,
            StageMatch::Knockout(2) | StageMatch::Final | StageMatch::SecondFinal
        );
        let by = decision.map(|decision| decision.by);
        let is_forfeit = matches!(
            by,
            Some(
                DecisionCause::Forfeit | DecisionCause::NeitherAnswered | DecisionCause::Withdrawal
            )
        );
        let is_plain = by == Some(DecisionCause::Games);
        html! {
            article.tie.last[is_final] {
                p.quiet { (match_name(table.of)) }
                (side(0)) (side(1))
                p.how.forfeit[is_forfeit].notable[!is_plain] {
                    @match decision {
                        Some(decision) => { span { (decided(decision)) } },
                        None if result.is_some() => span { "tied, extra deals" },
                        None => span.badge.good.now-live { "in progress" },
                    }
                    @if let Some(game) = self.decisive_game(it) { " " a href=(game) { "last game" } }
                }
            }
        }
    }

    /// The address of the last game of a match, on extra deals if there were any.
    fn decisive_game(&self, it: &BracketMatch) -> Option<String> {
        decisive_game(self.reading, self.stage, it.table.of, it.table.bots)
    }
}

/// The address of the last game of a match from the root of the report, on extra deals if there were any; none before
/// it was played.
pub(super) fn decisive_game(
    reading: &LeagueReport,
    stage: &Stage,
    of: StageMatch,
    bots: [usize; 2],
) -> Option<String> {
    let mut rounds = stage.rounds().iter().rev();
    let (round, place) = rounds.find_map(|round| {
        let is_match = |table: &StageTable| table.of == of && table.bots == bots;
        round.results.as_ref()?;
        Some((round.round, round.tables.iter().position(is_match)?))
    })?;
    let league = &reading.league;
    let line = &league.rounds().iter().find(|it| it.line.round == round)?.line;
    let games = line.games_of(line.deals.checked_sub(1)?, place, league.seats());
    Some(format!("rounds/{round}/game.html#game={}", games.end.checked_sub(1)?))
}
