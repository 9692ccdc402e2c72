//! What one player does, counted from decisions of its own.

use std::collections::HashMap;

use crate::coup::expert::cards::{Card, PAIR_CARDS, count};
use crate::coup::expert::packed::{CHOICES, Chances, LEVELS, Packed};
use crate::coup::expert::situation::{Choice, Situation, Stage};

/// Number of decisions that what is known of rougher situations stands for.
const PRIOR: f64 = 3.0;

/// Sum of the chances, which have more levels than those of a table.
const FINE: f64 = 240.0;

/// Choices of one player, counted in situations of two degrees of roughness.
///
/// Games with one player are few, so its choices in a [rough](Situation::rough) situation count most,
/// those in all situations of the same stage with a hand of the same kind less, and a table fills in
/// what neither says.
#[derive(Debug, Clone)]
pub struct Counted<'a> {
    table: Packed<'a>,
    rough: HashMap<u64, [u32; CHOICES]>,
    kinds: HashMap<Kind, [u32; CHOICES]>,
    decisions: u32,
}

/// A kind of situation and hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    stage: Stage,
    /// Number of choices.
    options: usize,
    /// Number of cards.
    cards: usize,
    /// The part of the hand that matters.
    hand: usize,
}

impl<'a> Counted<'a> {
    /// Nothing yet: a player who does what the table says.
    pub fn new(table: Packed<'a>) -> Counted<'a> {
        Counted { table, rough: HashMap::new(), kinds: HashMap::new(), decisions: 0 }
    }

    /// Number of choices that were counted.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Counts a choice in a situation with a hand.
    pub fn count(&mut self, situation: &Situation, hand: usize, choice: Choice) {
        let Some(place) = situation.choices().iter().position(|other| *other == choice) else {
            return;
        };
        let all = [
            self.rough.entry(rough(situation, hand)).or_default(),
            self.kinds.entry(kind(situation, hand)).or_default(),
        ];
        for counts in all {
            if let Some(count) = counts.get_mut(place) {
                *count = count.saturating_add(1);
            }
        }
        self.decisions = self.decisions.saturating_add(1);
    }

    /// Frequencies for every hand.
    pub fn all_chances(&self, situation: &Situation) -> Vec<Chances> {
        let all = self.table.all_chances(situation).into_iter().enumerate();
        all.map(|(hand, chances)| self.blended(situation, hand, chances)).collect()
    }

    /// Frequencies of the choices in a situation with a hand, of which the table says this.
    pub fn blended(&self, situation: &Situation, hand: usize, table: Chances) -> Chances {
        let total: u32 = table.iter().map(|chance| u32::from(*chance)).sum();
        let mut chances = table.map(|chance| f64::from(chance) / f64::from(total.max(1)));
        let kinds = self.kinds.get(&kind(situation, hand));
        let counted = [kinds, self.rough.get(&rough(situation, hand))];
        if counted == [None, None] {
            return table;
        }
        for counts in counted.into_iter().flatten() {
            let all: u32 = counts.iter().sum();
            for (chance, count) in chances.iter_mut().zip(counts) {
                *chance = (*chance * PRIOR + f64::from(*count)) / (PRIOR + f64::from(all));
            }
        }
        chances.map(|chance| (chance * FINE).round() as u8)
    }
}

/// The number of a rough situation without its memory, with a hand.
fn rough(situation: &Situation, hand: usize) -> u64 {
    situation.rough().forgotten().key() << 8 | hand as u64
}

/// The kind of a situation and a hand.
fn kind(situation: &Situation, hand: usize) -> Kind {
    let stage = situation.stage;
    let cards = situation.cards(stage.decides());
    let asked = |card: Card| count(cards, hand.min(PAIR_CARDS.len() - 1), card);
    let matters = match stage {
        Stage::Act
        | Stage::ActorLoses
        | Stage::OtherLoses
        | Stage::OtherLosesThenExchange
        | Stage::Exchange => hand,
        _ => {
            let claimed = stage.claim().map_or(0, |(_, card)| asked(card));
            let blocks = situation.choices().iter().filter_map(|choice| match choice {
                Choice::Block(card) => Some(usize::from(asked(*card).min(1))),
                _ => None,
            });
            blocks.fold(usize::from(claimed), |matters, block| matters * 2 + block)
        }
    };
    Kind { stage, options: situation.options(hand), cards, hand: matters }
}

const _: () = assert!(FINE as u32 > LEVELS as u32 && FINE as u32 + CHOICES as u32 <= 255);
