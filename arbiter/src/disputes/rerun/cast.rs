//! Who is asked again: the bots that a log names, or others in their places.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bots::programs::YARDSTICKS;
use rules::Dialect;
use text::printable;

use conditions::bot::grants::{AskedIsolation, sighted};
use conditions::bot::{BotSpec, Contender};
use conditions::failure::Failure;
use conditions::series::{Answering, Header, PlayerLine};
use contest::league::folder::{LeagueFolder, is_copied};
use sandbox::{Limits, SearchPath};
use text::terminal::say;

/// Under which conditions bots are asked again, besides those of the log.
#[derive(Debug)]
pub struct Conditions {
    /// Where programs are looked for.
    pub search: SearchPath,
    /// How far the bots are kept apart.
    pub isolation: AskedIsolation,
    /// What none of them is to see.
    pub kept: Vec<PathBuf>,
    /// The league that the games were played in, if it is one: it has copies of bots.
    pub league: Option<LeagueFolder>,
}

/// The players of a log, each made ready when it is first needed: to rerun your own bot you need
/// not have those of the others.
pub struct Cast {
    players: Vec<PlayerLine>,
    answering: Answering,
    /// Other programs, by the names of the players whose places they take.
    others: BTreeMap<String, BotSpec>,
    conditions: Conditions,
    /// Nothing for those that are not asked.
    ready: BTreeMap<String, Option<Contender>>,
}

impl Cast {
    /// The players of this log; if there are any `others`, only these are asked.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] for another program that has no name, or one that is not in the log, or
    /// that of one before.
    pub fn new(
        header: &Header,
        others: &[BotSpec],
        conditions: Conditions,
    ) -> Result<Cast, Failure> {
        let players: Vec<String> = header.players.iter().map(|it| it.name.clone()).collect();
        conditions.isolation.grants.check_names(&players)?;
        let mut named: BTreeMap<String, BotSpec> = BTreeMap::new();
        for bot in others {
            let name = bot.given_name().ok_or_else(|| {
                let command = printable(bot.command());
                Failure::Usage(format!("`{command}` has no name, expected --bot NAME=COMMAND"))
            })?;
            if !header.players.iter().any(|player| player.name == name) {
                let names: Vec<&str> = header.players.iter().map(|it| it.name.as_str()).collect();
                let names = names.join(", ");
                let problem = format!("no bot `{name}` in the log, expected one of {names}");
                return Err(Failure::Usage(problem));
            }
            if named.insert(name.to_owned(), bot.clone()).is_some() {
                return Err(Failure::Usage(format!("two programs for bot `{name}`, expected one")));
            }
        }
        let (players, ready) = (header.players.clone(), BTreeMap::new());
        Ok(Cast { players, answering: header.answering, others: named, conditions, ready })
    }

    /// Those of the players of these names who are asked, by their names.
    ///
    /// # Errors
    ///
    /// Fails if a program is not there, or speaks another dialect than the one that played.
    pub fn contenders<'a>(
        &mut self,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<BTreeMap<String, Contender>, Failure> {
        let mut asked = BTreeMap::new();
        for name in names {
            if !self.ready.contains_key(name) {
                let contender = self.prepare(name)?;
                self.ready.insert(name.to_owned(), contender);
            }
            if let Some(Some(contender)) = self.ready.get(name) {
                asked.insert(name.to_owned(), contender.clone());
            }
        }
        let (names, contenders): (Vec<String>, Vec<Contender>) = asked.into_iter().unzip();
        let Conditions { isolation, kept, .. } = &self.conditions;
        Ok(names.into_iter().zip(sighted(contenders, &isolation.grants, kept)).collect())
    }

    fn prepare(&self, name: &str) -> Result<Option<Contender>, Failure> {
        let Some(player) = self.players.iter().find(|player| player.name == name) else {
            return Ok(None);
        };
        match self.others.get(name) {
            Some(other) => self.contender(player, other.clone()).map(Some),
            None if !self.others.is_empty() => Ok(None),
            None if player.is_person() => {
                say(format!("note: {name} is a person, whose moves are not rerun"));
                Ok(None)
            }
            None => {
                let bot = self.bot(player)?;
                self.check_program(player, &bot)?;
                let contender = self.contender(player, bot).map_err(not_here)?;
                tell_changes(player, &contender);
                Ok(Some(contender))
            }
        }
    }

    fn bot(&self, player: &PlayerLine) -> Result<BotSpec, Failure> {
        let league = self.conditions.league.as_ref();
        match league.filter(|_| is_copied(&player.command)) {
            None => player.bot().map_err(|error| usage(player, error)),
            Some(league) => {
                let bot = player.name.parse().map_err(|error| usage(player, error))?;
                league.copied_bot(&bot).map_err(|error| Failure::Start(error.to_string()))
            }
        }
    }

    /// Whether there is a program of what has played: not of every player of a simulation.
    fn check_program(&self, player: &PlayerLine, bot: &BotSpec) -> Result<(), Failure> {
        let program = bot.words().first().map(String::as_str).unwrap_or_default();
        let is_yardstick = YARDSTICKS.iter().any(|yardstick| yardstick.name == program);
        match self.answering {
            Answering::InProcess if is_yardstick => Err(Failure::Start(format!(
                "bot `{0}`: `{program}` exists in simulations only, use --bot NAME=COMMAND to \
                 replace it or to rerun the others",
                player.name
            ))),
            Answering::InProcess | Answering::Programs => Ok(()),
        }
    }

    fn contender(&self, player: &PlayerLine, bot: BotSpec) -> Result<Contender, Failure> {
        let bot = bot.opened().map_err(|error| usage(player, error))?;
        if bot.dialect() != player.dialect {
            let (own, expected) = (bot.dialect(), player.dialect);
            let problem = format!("speaks the {own} dialect, expected the {expected} one");
            return Err(usage(player, problem));
        }
        let Conditions { isolation, .. } = &self.conditions;
        isolation.check(&player.name, &bot).map_err(|error| Failure::Usage(error.to_string()))?;
        // A person has none, nor has a player of a simulation, so a program in the place of one has
        // those of any bot.
        let limits = match self.answering {
            Answering::Programs if !player.is_person() => Limits::from(player.limits),
            Answering::Programs | Answering::InProcess => Limits::DEFAULT,
        };
        let beyond = isolation.beyond(&player.name);
        Contender::prepare(&bot, &player.name, limits, &self.conditions.search, &beyond)
            .map_err(|error| Failure::Start(format!("bot `{}`: {error}", player.name)))
    }
}

/// The log may lie in another folder than the one where it was played.
fn not_here(failure: Failure) -> Failure {
    match failure {
        Failure::Start(problem) => Failure::Start(format!(
            "{problem}; paths in a log are relative to the current folder, or use --bot NAME=COMMAND"
        )),
        other => other,
    }
}

fn usage(player: &PlayerLine, error: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("bot `{}`: {error}", player.name))
}

/// Says which files are others than those that played: then a difference proves nothing.
fn tell_changes(player: &PlayerLine, contender: &Contender) {
    let now = contender.digests();
    let name = &player.name;
    for file in player.files.iter().filter(|file| !now.contains(file)) {
        let word = printable(&file.word);
        say(format!("note: bot {name}: `{word}` differs from the file that played"));
    }
    if matches!(player.dialect, Dialect::Classic(_)) {
        say(format!(
            "note: bot {name}: it gets a new folder for each game, without the files that \
                     it kept"
        ));
    }
}
