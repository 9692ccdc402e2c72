//! The identity of a game, and the list of those that are compiled in.

pub use crate::dyn_rules::GameInfo;

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

use crate::dialect::Dialect;
use crate::dyn_rules::{
    AbsentGame, PROTOCOL, RequestPosition, RestartPolicy, Rules, RulesId, RulesLine,
    StandaloneRequestError, is_game_name, position,
};
use crate::game::Resample;
use crate::seat::{Score, Seat};
use crate::seed::Digest;
use crate::table::{self, Table};
use crate::text::NotText;

/// Calls a macro with the types of all games that are compiled in: the one list of them.
///
/// A crate that needs something for each game makes a trait of it and implements that for each of
/// these types. So the compiler names all that a new game needs.
///
/// ```
/// use rules::Game;
///
/// macro_rules! names {
///     ($($game:ty),*) => { [$(<$game>::NAME),*] };
/// }
/// assert_eq!(rules::games!(names), ["tablic", "coup", "durak"]);
/// ```
#[macro_export]
macro_rules! games {
    ($callback:ident) => {
        $callback!($crate::tablic::Tablic, $crate::coup::Coup, $crate::durak::Durak)
    };
}

macro_rules! listed {
    ($($game:ty),*) => { &[$(GameKind::of::<$game>()),*] };
}

/// A game: a value that names it, and knows its rules behind text.
///
/// ```
/// use rules::{GameKind, tablic::Tablic};
///
/// let game: GameKind = "tablic".parse()?;
/// assert_eq!(game, GameKind::of::<Tablic>());
/// assert_eq!(game.seats("seats=3")?, 3);
/// # Ok::<(), rules::NotText>(())
/// ```
// It is not `Copy`, since a game that is not compiled in owns what it was read from.
#[derive(Clone)]
pub struct GameKind(Kind);

#[derive(Clone)]
enum Kind {
    CompiledIn(&'static dyn Rules),
    Own(Arc<dyn Rules>),
}

/// The custom games that this process has opened, in the order in which it did.
///
/// Like the list of games that are compiled in, it says what this process can play. It only grows until the end,
/// and a game in it never changes: what names a game by its digest finds it, or finds none.
static OPENED: RwLock<Vec<GameKind>> = RwLock::new(Vec::new());

/// The rules of a game that is compiled in.
struct CompiledInRules<G>(PhantomData<fn() -> G>);

impl<G: Resample> Rules for CompiledInRules<G> {
    fn about(&self) -> GameInfo<'_> {
        GameInfo {
            name: G::NAME,
            title: G::TITLE,
            about: G::ABOUT,
            options: G::OPTIONS,
            rules: G::RULES,
            counts: G::COUNTS,
        }
    }

    fn dialects(&self) -> &[Dialect] {
        G::DIALECTS
    }

    fn dialects_with(&self, options: &str) -> &[Dialect] {
        options.parse().map_or(G::DIALECTS, |options| G::dialects(&options))
    }

    fn most_points(&self) -> Option<Score> {
        G::MOST_POINTS.map(Score::points)
    }

    fn check_options(&self, options: &str) -> Result<String, NotText> {
        options.parse::<G::Options>().map(|options| options.to_string())
    }

    fn seats(&self, options: &str) -> Result<usize, NotText> {
        options.parse().map(|options| G::new(&options).seats())
    }

    fn spelt(&self, text: &str) -> Option<String> {
        text.parse::<G::Move>().ok().map(|mv| mv.to_string())
    }

    fn open(&self, options: &str, _: RestartPolicy) -> Result<Box<dyn Table>, NotText> {
        table::open::<G>(options)
    }

    fn position(&self, request: &str) -> Result<RequestPosition, StandaloneRequestError> {
        position::<G>(request)
    }
}

impl GameKind {
    /// Every game that is compiled in.
    pub const ALL: &'static [GameKind] = games!(listed);

    /// The game that a type has the rules of.
    pub const fn of<G: Resample>() -> GameKind {
        GameKind(Kind::CompiledIn(const { &CompiledInRules::<G>(PhantomData) }))
    }

    /// A custom game.
    pub(crate) fn custom(rules: Arc<dyn Rules>) -> GameKind {
        GameKind(Kind::Own(rules))
    }

    /// Adds a custom game to those that this process knows by name.
    pub fn make_known(&self) {
        let mut opened = OPENED.write().unwrap_or_else(PoisonError::into_inner);
        if !opened.contains(self) {
            opened.push(self.clone());
        }
    }

    /// Forgets all custom games, so that their rules end once no game of them is left.
    pub fn forget_opened() {
        OPENED.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The game that the header of a log names: by its name alone, or with the rules of a game of one's
    /// own. If those are not here, the log can be read, but nothing in it can be derived.
    ///
    /// # Errors
    ///
    /// [`NotText`] for a name without rules that no game has.
    pub fn of_log(name: &str, rules: Option<&RulesLine>) -> Result<GameKind, NotText> {
        let Some(line) = rules else { return GameKind::compiled_in(name) };
        if !is_game_name(name) || GameKind::compiled_in(name).is_ok() {
            return Err(NotText::new("the name of a custom game", name));
        }
        if !(2..=Seat::MOST).contains(&line.seats) || line.id.protocol != PROTOCOL {
            let expected = format!("rules of protocol {PROTOCOL} with 2 to {} seats", Seat::MOST);
            return Err(NotText::new(expected, &line.seats.to_string()));
        }
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kind: &&GameKind| kind.name() == name && kind.rules_id() == Some(line.id);
        Ok(match opened.iter().find(is_it) {
            Some(kind) => kind.clone(),
            None => GameKind::custom(Arc::new(AbsentGame::new(name, *line))),
        })
    }

    /// The custom game of this name that this process has opened with these rules.
    pub fn opened(name: &str, rules: Digest) -> Option<GameKind> {
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        let has_them = |kind: &GameKind| kind.rules_id().is_some_and(|id| id.digest == rules);
        opened.iter().find(|kind| kind.name() == name && has_them(kind)).cloned()
    }

    fn compiled_in(name: &str) -> Result<GameKind, NotText> {
        let found = GameKind::ALL.iter().find(|kind| kind.name() == name);
        found.cloned().ok_or_else(|| NotText::new("a game that this build knows", name))
    }

    /// The identity of its rules, where they are not compiled in.
    pub fn rules_id(&self) -> Option<RulesId> {
        self.rules().rules_id()
    }

    /// The rules that are not here, in words: none where they are here or compiled in.
    pub fn missing_rules(&self) -> Option<String> {
        let RulesId { carrier, digest, protocol } = self.rules_id().filter(|_| self.is_absent())?;
        Some(format!(
            "the rules of {self} (a {carrier} of protocol {protocol} with digest {digest}) are missing: \
             name them with --game GAME"
        ))
    }

    /// Returns true if only its name is known, since its rules are not here.
    pub fn is_absent(&self) -> bool {
        self.rules().is_absent()
    }

    /// The name of the game in requests, logs and commands.
    pub fn name(&self) -> &str {
        self.about().name
    }

    /// A description of the game for a list.
    pub fn about(&self) -> GameInfo<'_> {
        self.rules().about()
    }

    /// The ways in which bots of this game can be asked.
    pub fn dialects(&self) -> &[Dialect] {
        self.rules().dialects()
    }

    /// The ways in which bots can be asked in games with these options.
    ///
    /// ```
    /// use rules::{Dialect, GameKind};
    ///
    /// let coup: GameKind = "coup".parse()?;
    /// assert_eq!(coup.dialects_with("seats=4"), [Dialect::Native]);
    /// assert!(coup.dialects_with("seats=2").len() > 1);
    /// # Ok::<(), rules::NotText>(())
    /// ```
    pub fn dialects_with(&self, options: &str) -> &[Dialect] {
        self.rules().dialects_with(options)
    }

    /// The most points that a seat can have at the end, where the rules bound them; the least is 0.
    pub fn most_points(&self) -> Option<Score> {
        self.rules().most_points()
    }

    /// The options in their one spelling, or what is wrong with them.
    ///
    /// # Errors
    ///
    /// Names the option and what was expected.
    pub fn check_options(&self, options: &str) -> Result<String, NotText> {
        self.rules().check_options(options)
    }

    /// Number of seats with these options.
    ///
    /// # Errors
    ///
    /// Names the option and what was expected.
    pub fn seats(&self, options: &str) -> Result<usize, NotText> {
        self.rules().seats(options)
    }

    /// A move in its one spelling; nothing if the text is not a move of this game.
    ///
    /// ```
    /// use rules::{GameKind, tablic::Tablic};
    ///
    /// let tablic = GameKind::of::<Tablic>();
    /// assert_eq!(tablic.spelt("7s  4d 3H").as_deref(), Some("7S 3H 4D"));
    /// assert_eq!(tablic.spelt("pass"), None);
    /// ```
    pub fn spelt(&self, text: &str) -> Option<String> {
        self.rules().spelt(text)
    }

    /// Its rules behind text.
    pub(crate) fn rules(&self) -> &dyn Rules {
        match &self.0 {
            Kind::CompiledIn(rules) => *rules,
            Kind::Own(rules) => &**rules,
        }
    }
}

impl PartialEq for GameKind {
    fn eq(&self, other: &GameKind) -> bool {
        self.name() == other.name() && self.rules_id() == other.rules_id()
    }
}

impl Eq for GameKind {}

impl fmt::Debug for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameKind").field(&self.name()).finish()
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameKind {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        // The game of this name that was opened last: a folder that is read names its own.
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        let own = opened.iter().rev().find(|kind| kind.name() == text);
        own.cloned().map_or_else(|| GameKind::compiled_in(text), Ok)
    }
}
