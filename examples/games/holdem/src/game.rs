//! The rules: one hand of heads-up no-limit Texas hold'em.
//!
//! Seat 0 has the button and the small blind. Both seats begin with the same stack, and so a seat that has called an
//! all-in is all in as well: there are no side pots, and only a fold leaves a bet uncalled.

use crate::card::Card;
use crate::strength::Strength;

/// More chips than this are refused, so that no sum overflows.
pub const MOST_CHIPS: u32 = 1_000_000;

/// A stack of more big blinds is refused. Each raise is at least a big blind, so this limits the moves of a hand.
pub const MOST_BLINDS: u32 = 1_000;

/// How many sizes of a bet or raise are listed at most: a person reads the list, and a bot is sent it.
const MOST_SIZES: u32 = 20;

/// Shares of the pot to bet or raise by, listed where there are too many sizes to list them all.
const POT_SHARES: [(u32, u32); 8] =
    [(1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1)];

/// What the user can choose.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub stack: u32,
    pub small_blind: u32,
    pub big_blind: u32,
}

impl Options {
    /// Says why a game cannot have these options.
    pub fn check(self) -> Result<(), String> {
        let Options { stack, small_blind, big_blind } = self;
        let is_number_of_chips = |chips| (1..=MOST_CHIPS).contains(&chips);
        if ![stack, small_blind, big_blind].into_iter().all(is_number_of_chips) {
            return Err(format!("stack and blinds are from 1 to {MOST_CHIPS} chips"));
        }
        if small_blind > big_blind {
            return Err("the small blind is larger than the big blind".into());
        }
        if stack > MOST_BLINDS.saturating_mul(big_blind) {
            return Err(format!("a stack is at most {MOST_BLINDS} big blinds"));
        }
        Ok(())
    }
}

/// A move. The number is what the seat has then bet on this street in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Fold,
    Check,
    Call,
    Bet(u32),
    Raise(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Street {
    Preflop,
    Flop,
    Turn,
    River,
}

impl Street {
    pub const ALL: [Street; 4] = [Street::Preflop, Street::Flop, Street::Turn, Street::River];
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// So many cards are drawn.
    Draw(usize),
    /// This seat is to move.
    Turn(usize),
    Over,
}

/// Where drawn cards went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealt {
    Hole(usize),
    Board(Street),
}

/// How the hand ended.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// The part of the winner's last bet that no one called.
    pub uncalled: u32,
    /// What was won, without the uncalled part.
    pub pot: u32,
    /// Nobody, if both seats split the pot.
    pub winner: Option<usize>,
    /// The hands of both seats, if they were shown.
    pub shown: Option<[Strength; 2]>,
}

/// What the seat whose turn it is may do.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// How many chips a call costs; with 0 the seat may check.
    pub to_call: u32,
    /// The highest bet of this street. If it is 0, a seat bets, and otherwise it raises.
    top: u32,
    /// The smallest and the largest sum to bet or to raise to.
    pub sizes: Option<(u32, u32)>,
    pot: u32,
}

/// One hand.
#[derive(Debug, Clone)]
pub struct Game {
    pub options: Options,
    /// The cards of each seat, none before they are dealt.
    pub hole: [Vec<Card>; 2],
    pub board: Vec<Card>,
    /// The chips in front of each seat; all others are in the pot.
    pub stacks: [u32; 2],
    /// What each seat has bet on this street.
    pub bets: [u32; 2],
    /// The moves so far, with the street and the seat.
    pub betting: Vec<(Street, usize, Move)>,
    pub end: Option<End>,
    /// The seat to move; none while cards are due.
    to_move: Option<usize>,
    /// How many seats are still to act before the street is over.
    to_act: u32,
    /// By how much a bet or raise must go up at least.
    least_raise: u32,
}

impl Game {
    pub fn new(options: Options) -> Game {
        let Options { stack, small_blind, big_blind } = options;
        let bets = [small_blind.min(stack), big_blind.min(stack)];
        Game {
            options,
            hole: [Vec::new(), Vec::new()],
            board: Vec::new(),
            stacks: [stack - bets[0], stack - bets[1]],
            bets,
            betting: Vec::new(),
            end: None,
            to_move: None,
            to_act: 2,
            least_raise: big_blind,
        }
    }

    pub fn next(&self) -> Next {
        match (self.end, self.to_move) {
            (Some(_), _) => Next::Over,
            (None, Some(seat)) => Next::Turn(seat),
            (None, None) if self.hole[1].is_empty() => Next::Draw(2),
            (None, None) if self.board.is_empty() => Next::Draw(3),
            (None, None) => Next::Draw(1),
        }
    }

    pub fn street(&self) -> Street {
        match self.board.len() {
            0 => Street::Preflop,
            3 => Street::Flop,
            4 => Street::Turn,
            _ => Street::River,
        }
    }

    /// All chips that are in front of no seat, with the bets of this street.
    pub fn pot(&self) -> u32 {
        2 * self.options.stack - self.stacks[0] - self.stacks[1]
    }

    /// What a seat has if the other one gives up now.
    pub fn if_other_folds(&self, seat: usize) -> u32 {
        self.stacks[seat] + self.pot()
    }

    /// The cards that no one has seen, in the order of the pack.
    pub fn unseen(&self) -> impl Iterator<Item = Card> + '_ {
        Card::pack().filter(|card| !self.is_seen(*card))
    }

    /// Returns true for a card that was dealt.
    pub fn is_seen(&self, card: Card) -> bool {
        self.hole.iter().chain([&self.board]).any(|cards| cards.contains(&card))
    }

    /// Deals cards that were drawn, as many as [`Game::next`] says.
    pub fn deal(&mut self, cards: &[Card]) -> Dealt {
        if let Some(seat) = (0..2).find(|&seat| self.hole[seat].is_empty()) {
            self.hole[seat].extend(cards);
            if seat == 1 {
                self.open_betting(0);
            }
            return Dealt::Hole(seat);
        }
        self.board.extend(cards);
        self.open_betting(1);
        if self.to_move.is_none() && self.board.len() == 5 {
            self.show_down();
        }
        Dealt::Board(self.street())
    }

    /// Asks a seat first, unless it is all in. Then the other one is all in too: after the flop both have bet the same,
    /// and before it the small blind is not the larger one.
    fn open_betting(&mut self, first: usize) {
        self.to_act = 2;
        self.to_move = (self.stacks[first] > 0).then_some(first);
    }

    /// What the seat whose turn it is may do.
    pub fn choice(&self, seat: usize) -> Choice {
        let top = self.bets[0].max(self.bets[1]);
        let to_call = top - self.bets[seat];
        // If a call takes all that is left, the other seat is all in, and a raise would be for nothing.
        let sizes = (to_call < self.stacks[seat]).then(|| {
            let all_in = self.bets[seat] + self.stacks[seat];
            ((top + self.least_raise).min(all_in), all_in)
        });
        Choice { to_call, top, sizes, pot: self.pot() }
    }

    /// Plays a move that [`Choice::check`] accepts.
    pub fn play(&mut self, seat: usize, mv: Move) {
        let Choice { to_call, top, .. } = self.choice(seat);
        self.betting.push((self.street(), seat, mv));
        self.to_act -= 1;
        match mv {
            Move::Fold => return self.win_uncontested(1 - seat),
            Move::Check => {}
            Move::Call => self.put_in(seat, to_call),
            Move::Bet(to) | Move::Raise(to) => {
                // An all-in may be less than a full raise. It does not lower the next one.
                self.least_raise = self.least_raise.max(to - top);
                self.put_in(seat, to - self.bets[seat]);
                self.to_act = 1;
            }
        }
        // A big blind that is all in has nothing to add to a call.
        let goes_on = self.to_act > 0 && self.stacks[1 - seat] > 0;
        self.to_move = goes_on.then_some(1 - seat);
        if !goes_on {
            self.close_street();
        }
    }

    fn put_in(&mut self, seat: usize, chips: u32) {
        self.stacks[seat] -= chips;
        self.bets[seat] += chips;
    }

    fn close_street(&mut self) {
        self.bets = [0, 0];
        self.least_raise = self.options.big_blind;
        if self.board.len() == 5 {
            self.show_down();
        }
    }

    fn win_uncontested(&mut self, winner: usize) {
        let uncalled = self.bets[winner].saturating_sub(self.bets[1 - winner]);
        self.stacks[winner] += uncalled;
        self.finish(uncalled, Some(winner), None);
    }

    fn show_down(&mut self) {
        let shown = [0, 1]
            .map(|seat: usize| Strength::of(self.hole[seat].iter().chain(&self.board).copied()));
        let winner = match shown[0].cmp(&shown[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        self.finish(0, winner, Some(shown));
    }

    fn finish(&mut self, uncalled: u32, winner: Option<usize>, shown: Option<[Strength; 2]>) {
        let pot = self.pot();
        match winner {
            Some(seat) => self.stacks[seat] += pot,
            // Both have put in the same, so no chip is odd.
            None => self.stacks = self.stacks.map(|chips| chips + pot / 2),
        }
        self.bets = [0, 0];
        self.to_move = None;
        self.end = Some(End { uncalled, pot, winner, shown });
    }
}

impl Choice {
    /// The moves to list, and whether there are more.
    pub fn moves(&self) -> (Vec<Move>, bool) {
        let mut moves = match self.to_call {
            0 => vec![Move::Check],
            _ => vec![Move::Fold, Move::Call],
        };
        let Some((least, most)) = self.sizes else { return (moves, false) };
        let is_cut = most - least >= MOST_SIZES;
        if is_cut {
            moves.extend(self.usual_sizes(least, most).into_iter().map(|to| self.up_to(to)));
        } else {
            moves.extend((least..=most).map(|to| self.up_to(to)));
        }
        (moves, is_cut)
    }

    /// The least, some shares of the pot, and all in.
    fn usual_sizes(&self, least: u32, most: u32) -> Vec<u32> {
        let called = self.pot + self.to_call;
        let mut sizes = vec![least];
        for (part, whole) in POT_SHARES {
            let size = self.top + called * part / whole;
            // Shares grow, so a size that is listed already is the last one.
            if sizes.last() < Some(&size) && size < most {
                sizes.push(size);
            }
        }
        sizes.push(most);
        sizes
    }

    fn up_to(&self, chips: u32) -> Move {
        match self.top {
            0 => Move::Bet(chips),
            _ => Move::Raise(chips),
        }
    }

    /// Says why a move is not legal.
    pub fn check(&self, mv: Move) -> Result<(), String> {
        match mv {
            Move::Fold if self.to_call == 0 => Err("there is no bet to fold to: check".into()),
            Move::Check if self.to_call > 0 => {
                Err(format!("there is a bet of {} to call", self.to_call))
            }
            Move::Call if self.to_call == 0 => Err("there is no bet to call: check".into()),
            Move::Bet(_) if self.top > 0 => Err("there is a bet already: raise".into()),
            Move::Raise(_) if self.top == 0 => Err("there is no bet to raise: bet".into()),
            Move::Bet(to) | Move::Raise(to) => match self.sizes {
                None => Err("the other seat is all in".into()),
                Some((least, _)) if to < least => Err(format!("the least is {least}")),
                Some((_, most)) if to > most => Err(format!("the most is {most}")),
                Some(_) => Ok(()),
            },
            Move::Fold | Move::Check | Move::Call => Ok(()),
        }
    }
}
