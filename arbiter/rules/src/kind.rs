//! The list of games: the one place that knows them all.

use std::fmt;
use std::str::FromStr;

use crate::coup::Coup;
use crate::dialect::Dialect;
use crate::durak::Durak;
use crate::game::Resample;
use crate::tablic::Tablic;
use crate::text::NotText;

/// A game that this build knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameKind {
    /// Tablić, a fishing game.
    Tablic,
    /// Coup, a game of bluff.
    Coup,
    /// Durak, a beating game.
    Durak,
}

/// Something to do with the rules of any game.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it with these rules.
    fn visit<G: Resample>(self) -> Self::Output;
}

impl GameKind {
    /// Every game.
    pub const ALL: [GameKind; 3] = [GameKind::Tablic, GameKind::Coup, GameKind::Durak];

    /// Does something with the rules of this game.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            GameKind::Tablic => visitor.visit::<Tablic>(),
            GameKind::Coup => visitor.visit::<Coup>(),
            GameKind::Durak => visitor.visit::<Durak>(),
        }
    }

    /// The options in their one spelling, or what is wrong with them.
    ///
    /// # Errors
    ///
    /// Names the option and what was expected.
    pub fn check_options(self, options: &str) -> Result<String, NotText> {
        struct Check<'a>(&'a str);
        impl Visitor for Check<'_> {
            type Output = Result<String, NotText>;
            fn visit<G: Resample>(self) -> Self::Output {
                self.0.parse::<G::Options>().map(|options| options.to_string())
            }
        }
        self.visit(Check(options))
    }

    /// A move in its one spelling; nothing if the text is not a move of this game.
    ///
    /// ```
    /// use rules::GameKind;
    ///
    /// assert_eq!(GameKind::Tablic.spelt("7s  4d 3H").as_deref(), Some("7S 3H 4D"));
    /// assert_eq!(GameKind::Tablic.spelt("pass"), None);
    /// ```
    pub fn spelt(self, text: &str) -> Option<String> {
        struct Spell<'a>(&'a str);
        impl Visitor for Spell<'_> {
            type Output = Option<String>;
            fn visit<G: Resample>(self) -> Self::Output {
                self.0.parse::<G::Move>().ok().map(|mv| mv.to_string())
            }
        }
        self.visit(Spell(text))
    }

    /// How many seats play with these options.
    ///
    /// # Errors
    ///
    /// Names the option and what was expected.
    pub fn seats(self, options: &str) -> Result<usize, NotText> {
        struct SeatsOf<'a>(&'a str);
        impl Visitor for SeatsOf<'_> {
            type Output = Result<usize, NotText>;
            fn visit<G: Resample>(self) -> Self::Output {
                self.0.parse().map(|options| G::new(&options).seats())
            }
        }
        self.visit(SeatsOf(options))
    }

    /// The name of the game in requests, logs and commands.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The ways in which bots of this game can be asked.
    pub fn dialects(self) -> &'static [Dialect] {
        struct Dialects;
        impl Visitor for Dialects {
            type Output = &'static [Dialect];
            fn visit<G: Resample>(self) -> Self::Output {
                G::DIALECTS
            }
        }
        self.visit(Dialects)
    }

    /// What there is to say about the game in a list.
    pub fn about(self) -> About {
        struct Describe;
        impl Visitor for Describe {
            type Output = About;
            fn visit<G: Resample>(self) -> About {
                About { name: G::NAME, about: G::ABOUT, options: G::OPTIONS, counts: G::COUNTS }
            }
        }
        self.visit(Describe)
    }
}

/// What there is to say about a game in a list.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Its name in commands.
    pub name: &'static str,
    /// What it is, one line.
    pub about: &'static str,
    /// Its options with their values, one line.
    pub options: &'static str,
    /// What statistics count for each seat beside points.
    pub counts: &'static [&'static str],
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameKind {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        GameKind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| NotText::new("a game that this build knows", text))
    }
}
