//! A program of this package: its name, its options and its players.

use std::marker::PhantomData;

use rules::GameKind;

use crate::options::BadOption;
use crate::player::{Answers, AnyPlayer, Players, playing};
use crate::visitor::{PlayersVisitor, visit};

/// A program of this package, as data.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its name, as of its binary.
    pub name: &'static str,
    /// Way of playing, in one line.
    pub about: &'static str,
    /// Its options, for its help: texts of one line or more, each line after a line break; none
    /// where it has no options.
    pub options: &'static [&'static str],
}

impl Program {
    /// The option that a word of a command line gives, with or without a value, if the help has it.
    pub fn option<'a>(&self, word: &'a str) -> Option<&'a str> {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let mut lines = self.options.iter().flat_map(|help| help.lines());
        lines.any(|line| line.split_whitespace().next() == Some(name)).then_some(name)
    }

    /// Says of an unknown option whether the program has it for another game.
    ///
    /// A player knows the options of its own game only, so it cannot tell.
    pub fn placed(&self, bad: BadOption) -> BadOption {
        match bad {
            BadOption::Unknown(word) => match self.option(&word) {
                Some(option) => BadOption::Elsewhere(option.to_owned()),
                None => BadOption::Unknown(word),
            },
            bad => bad,
        }
    }

    /// Its options after the word `options:`, on lines of their own where there are any.
    pub fn options_text(&self) -> String {
        if self.options.is_empty() { " none".to_owned() } else { self.options.concat() }
    }
}

/// The players of one program: it holds no others.
pub trait Runs {
    /// Its name and its help.
    const PROGRAM: Program;

    /// Its player of a game.
    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption>;

    /// Its player of any game that is not built in, if it can play without knowing the rules.
    fn of_any_game() -> Option<Box<dyn Answers>> {
        None
    }

    /// Its player of a game, behind text.
    fn answering(kind: &GameKind, options: &[String]) -> Result<Box<dyn Answers>, BadOption> {
        struct Make<'a, P: ?Sized>(&'a [String], PhantomData<P>);
        impl<P: Runs + ?Sized> PlayersVisitor for Make<'_, P> {
            type Output = Result<Box<dyn Answers>, BadOption>;
            fn visit<G: Players>(self) -> Self::Output {
                let player = P::player::<G>(self.0).map_err(|bad| P::PROGRAM.placed(bad))?;
                Ok(playing(P::PROGRAM.name, player))
            }
        }
        visit(kind, Make::<Self>(options, PhantomData))?
    }
}

pub(crate) fn games_of(plays: impl Fn(&GameKind) -> bool) -> impl Iterator<Item = &'static str> {
    GameKind::ALL.iter().filter(move |kind| plays(kind)).map(GameKind::name)
}
