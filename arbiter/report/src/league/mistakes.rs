//! The mistakes of a league's bots over all of its rounds, by the reviews that were kept beside the logs of rounds.

use std::collections::BTreeMap;
use std::time::SystemTime;

use bots::review::learns;
use maud::{Markup, html};
use review::{BotReview, MistakePosition, ReviewSummary, ReviewedLog, kept_beside, kept_reviews};

use crate::html::bot;
use contest::tournament::folder::{games, shown};
use league::League;
use league::folder::LeagueFolder;
use record::Games;

/// The kept reviews of rounds, each by the length and the time of change of its file.
pub type KeptReviews = BTreeMap<u64, (u64, SystemTime)>;

/// The mistakes of all bots, added up over rounds. A round has its number as the place of its log.
#[derive(Debug, Clone, Default)]
pub struct LeagueMistakes {
    summary: ReviewSummary,
    rounds: KeptReviews,
}

impl LeagueMistakes {
    /// The rounds of which they are made.
    pub fn rounds(&self) -> &KeptReviews {
        &self.rounds
    }

    /// Adds what was kept of further rounds, and begins anew if one of the known rounds has changed or is not among
    /// these. What cannot be read is left out: a review can be made again.
    pub fn brought_to(&self, folder: &LeagueFolder, wanted: KeptReviews) -> LeagueMistakes {
        let goes_on = self.rounds.iter().all(|(round, kept)| wanted.get(round) == Some(kept));
        let mut all = if goes_on { self.clone() } else { LeagueMistakes::default() };
        for (round, kept) in wanted {
            if all.rounds.insert(round, kept).is_none() {
                all.add(folder, round);
            }
        }
        all
    }

    fn add(&mut self, folder: &LeagueFolder, round: u64) {
        let path = games(&folder.round(round));
        let (Ok(place), Ok(games)) = (usize::try_from(round), Games::open(&path)) else { return };
        let mut log = ReviewedLog { name: shown(&path), path, games };
        // The games before a line that cannot be read are counted: the page of the round tells of it.
        let _ = kept_reviews(place, &mut log, &mut |game| self.summary.add(game, None));
    }

    /// What a version of a bot gives away, if it was reviewed.
    pub(super) fn of(&self, version: &str) -> Option<&BotReview> {
        self.summary.bots().into_iter().find(|bot| bot.name == version)
    }
}

/// Returns the finished rounds that have kept reviews.
pub fn kept_reviews_of(folder: &LeagueFolder, league: &League) -> KeptReviews {
    let over = league.rounds().iter().filter(|round| round.over.is_some());
    let kept = over.filter_map(|round| {
        let found = kept_beside(&games(&folder.round(round.line.round)))?.metadata().ok()?;
        Some((round.line.round, (found.len(), found.modified().ok()?)))
    });
    kept.collect()
}

/// The mistakes of a version, for its page.
pub(super) fn table(league: &League, review: &BotReview) -> Markup {
    let link = |position: &MistakePosition| {
        let MistakePosition { log: round, game, decision, .. } = position;
        html! {
            a href=(format!("../rounds/{round}/game.html#game={game}&move={}&review=now", decision.number)) {
                (round) "/" (game)
            }
        }
    };
    html! {
        p.quiet { (review.name) " in " (text::counted(review.games, "reviewed game", "reviewed games")) ", as round/game:" }
        (bot::mistakes(review, learns(league.kind()), &link))
    }
}
