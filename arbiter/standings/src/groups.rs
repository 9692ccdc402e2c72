//! Groups of bots that can be compared by their games, and on which sides.
//!
//! A bot that took a point off another one, by a win or a draw, cannot be behind it without end. So
//! there is a way from one bot to another where it took points off it, or off a bot from which
//! there is a way: then its strength is bounded from below by that of the other. Where there are
//! ways between all bots in both directions, all strengths are finite (Ford 1957, "Solution of a
//! ranking problem from binary comparisons"). Elsewhere games do not say how far a bot is ahead,
//! and if there is no way in either direction, they do not say who is.

use super::column::Meeting;
use super::game::Entrant;

/// The bots that met each other, if only through others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// All of them, in the order of the tournament.
    pub(super) bots: Vec<Entrant>,
    /// The bots whose mean rating is 0: the largest set with ways to each other in both directions,
    /// or all bots if no two have them.
    pub(super) anchors: Vec<Entrant>,
}

/// The groups of bots, and the ways between them.
#[derive(Debug)]
pub(super) struct Groups {
    /// The largest first.
    pub(super) all: Vec<Group>,
    entrants: usize,
    /// The group of each bot that played.
    of: Vec<Option<usize>>,
    /// True where there is a way from one bot to another, row by row.
    ways: Vec<bool>,
}

impl Groups {
    /// Groups of this number of bots after these games.
    pub(super) fn new(entrants: usize, meetings: &[Meeting]) -> Groups {
        let mut beaten = vec![Vec::new(); entrants];
        let mut met = vec![Vec::new(); entrants];
        for meeting in meetings.iter().filter(|meeting| meeting.games() > 0.0) {
            let (first, second) = (meeting.first.0, meeting.second.0);
            met[first].push(second);
            met[second].push(first);
            if meeting.won + meeting.drawn > 0.0 {
                beaten[first].push(second);
            }
            if meeting.lost + meeting.drawn > 0.0 {
                beaten[second].push(first);
            }
        }
        let mut groups = Groups {
            all: Vec::new(),
            entrants,
            of: vec![None; entrants],
            ways: (0..entrants).flat_map(|bot| reached(&beaten, bot)).collect(),
        };
        for bot in (0..entrants).filter(|bot| !met[*bot].is_empty()) {
            let is_known = groups.all.iter().any(|group| group.bots.contains(&Entrant(bot)));
            if !is_known {
                let reached = reached(&met, bot);
                let bots = (0..entrants).filter(|other| reached[*other]).map(Entrant);
                let group = groups.group(bots.collect());
                groups.all.push(group);
            }
        }
        groups.all.sort_by_key(|group| usize::MAX - group.bots.len());
        for (number, group) in groups.all.iter().enumerate() {
            group.bots.iter().for_each(|bot| groups.of[bot.0] = Some(number));
        }
        groups
    }

    /// The number of the group of a bot; none where it did not play.
    pub(super) fn number(&self, bot: Entrant) -> Option<usize> {
        self.of[bot.0]
    }

    /// The bots to which the rating of this one is relative.
    pub(super) fn anchors(&self, bot: Entrant) -> &[Entrant] {
        self.of[bot.0].map_or(&[], |group| self.all[group].anchors.as_slice())
    }

    /// Returns true if the first cannot be behind the second without end.
    pub(super) fn is_bounded_by(&self, bot: Entrant, other: Entrant) -> bool {
        self.ways[bot.0 * self.entrants + other.0]
    }

    fn group(&self, bots: Vec<Entrant>) -> Group {
        let mut anchors: Vec<Entrant> = Vec::new();
        for bot in &bots {
            let level = bots.iter().copied().filter(|other| {
                self.is_bounded_by(*bot, *other) && self.is_bounded_by(*other, *bot)
            });
            let level: Vec<Entrant> = level.collect();
            if level.len() > anchors.len() {
                anchors = level;
            }
        }
        if anchors.len() < 2 {
            anchors.clone_from(&bots);
        }
        Group { bots, anchors }
    }
}

/// True for each place that there is a way to, `from` among them.
fn reached(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    reached[from] = true;
    let mut open = vec![from];
    while let Some(place) = open.pop() {
        for next in &next[place] {
            if !reached[*next] {
                reached[*next] = true;
                open.push(*next);
            }
        }
    }
    reached
}

/// True for each end, the lower and the upper one, that the advantage of the first seat has.
///
/// It has no upper one where it may grow without end, and strengths along with it, while none of the
/// results that were seen becomes less likely. With an advantage of 1 and strengths δ that is so if
/// the first seat is ahead by 0 or more wherever it took points, `δ(first) − δ(second) + 1 ≥ 0`, and
/// not ahead where the second took points. There are such δ unless a circle of these conditions
/// contradicts itself (Bellman 1958, "On a routing problem").
pub(super) fn seat_is_bounded(entrants: usize, meetings: &[Meeting]) -> [bool; 2] {
    [-1.0, 1.0].map(|advantage| {
        let mut strengths = vec![0.0f64; entrants];
        for _ in 0..=entrants {
            let mut is_settled = true;
            for meeting in meetings {
                let (first, second) = (meeting.first.0, meeting.second.0);
                let second_at_most = strengths[first] + advantage;
                if meeting.won + meeting.drawn > 0.0 && strengths[second] > second_at_most {
                    strengths[second] = second_at_most;
                    is_settled = false;
                }
                let first_at_most = strengths[second] - advantage;
                if meeting.lost + meeting.drawn > 0.0 && strengths[first] > first_at_most {
                    strengths[first] = first_at_most;
                    is_settled = false;
                }
            }
            if is_settled {
                return false;
            }
        }
        true
    })
}
