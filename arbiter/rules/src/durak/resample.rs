//! Worlds that a seat cannot tell from the real one.

use crate::dealt::Dealt;
use crate::durak::chance::Chance;
use crate::durak::event::Event;
use crate::durak::game::Durak;
use crate::durak::options::Options;
use crate::durak::origins::Origins;
use crate::durak::view::View;
use crate::game::{Game, Resample};
use crate::nature::Nature;
use crate::seat::Seat;

impl Resample for Durak {
    /// Imagines the cards that came face down, and plays the history again with them.
    ///
    /// So a hand holds the cards that its seat took up in public and has not played since, and
    /// positions that could repeat in the real world can repeat there too.
    fn resample(
        options: &Options,
        seat: Seat,
        _view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let mut imagined = Origins::trace(options, seat, history)?.imagine(nature)?.into_iter();
        let mut cards = |dealt| match dealt {
            Dealt::Seen(cards) => Some(cards),
            Dealt::Unseen(_) => imagined.next(),
        };
        let mut game = Durak::new(options);
        let mut told = Vec::new();
        for event in history {
            let chance = match *event {
                Event::Deal { to, cards: dealt } => Chance::Deal { to, cards: cards(dealt)? },
                Event::Draw { to, cards: dealt } => Chance::Draw { to, cards: cards(dealt)? },
                Event::Trump(card) => Chance::Trump(card),
                Event::Move { mv, .. } => {
                    game.play(&mv, &mut told).ok()?;
                    continue;
                }
                // What the rules do by themselves.
                _ => continue,
            };
            game.happen(&chance, &mut told).ok()?;
        }
        Some(game)
    }
}
