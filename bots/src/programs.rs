//! The list of programs, and of the games that they play.

pub use crate::program::{NoPlayersError, PlayersVisitor, visit};

use std::ffi::OsString;
use std::process::ExitCode;

use rules::{GameKind, built_in};

use crate::options::{BadOption, SearchSettings, TimeLimit};
use crate::player::{self, AnyGamePlayer, AnyPlayer, Players};
use crate::program::{Program, ProgramPlayers, games_of, run, run_as};
use crate::{coup, durak, tablic};

pub const RANDOM: Program = RandomProgram::PROGRAM;

pub const GREEDY: Program = GreedyProgram::PROGRAM;

pub const MINIMAX: Program = MinimaxProgram::PROGRAM;

pub const EXPERT: Program = ExpertProgram::PROGRAM;

/// The option that the experts of all games share, as lines of a help text.
const WORLDS: &str = "
  --worlds N       maximum sampled worlds per move [default: Coup 200, Durak 1600, Tablić 2000; in
                   Durak and Tablić as many as fit into the DURATION of --time]";

pub const LOWEST: Program =
    Program { name: built_in::LOWEST, about: "always plays its lowest legal card", options: &[] };

pub const ALL: [&Program; 4] = [&RANDOM, &GREEDY, &MINIMAX, &EXPERT];

/// How each of [`ALL`] runs.
const RUN: [fn(&str, Vec<OsString>) -> ExitCode; ALL.len()] = [
    run_as::<RandomProgram>,
    run_as::<GreedyProgram>,
    run_as::<MinimaxProgram>,
    run_as::<ExpertProgram>,
];

pub const CHALLENGER: Program = Program {
    name: built_in::CHALLENGER,
    about: "always challenges, otherwise plays at random",
    options: &[],
};

pub const CALCULATOR: Program = Program {
    name: built_in::CALCULATOR,
    about: "races by turn count, never bluffs a block, challenges every block",
    options: &[],
};

/// Players that there are no programs of: others are measured against them in simulations.
pub const YARDSTICKS: [&Program; 3] = [&CHALLENGER, &CALCULATOR, &LOWEST];

#[derive(Debug, Clone, Copy)]
pub struct RandomProgram;

impl ProgramPlayers for RandomProgram {
    const PROGRAM: Program =
        Program { name: built_in::RANDOM, about: "plays random legal moves", options: &[] };

    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption> {
        G::random(options)
    }

    fn of_any_game() -> Option<Box<dyn AnyGamePlayer>> {
        Some(Box::new(player::Random))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct GreedyProgram;

impl ProgramPlayers for GreedyProgram {
    const PROGRAM: Program = Program {
        name: built_in::GREEDY,
        about: "maximises immediate gain, no lookahead",
        options: &[durak::greedy::CardScale::HELP],
    };

    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption> {
        G::greedy(options)
    }
}

/// Looks ahead: each game says whether by minimax.
#[derive(Debug, Clone, Copy)]
pub struct MinimaxProgram;

impl ProgramPlayers for MinimaxProgram {
    const PROGRAM: Program = Program {
        name: built_in::MINIMAX,
        about: "searches ahead, over possible hands (Coup) or sampled worlds (Durak)",
        options: &[
            tablic::Minimax::HELP,
            SearchSettings::HELP,
            coup::Minimax::HELP,
            durak::minimax::HELP,
        ],
    };

    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption> {
        G::minimax(options)
    }
}

/// Plays as well as anybody knows how to.
#[derive(Debug, Clone, Copy)]
pub struct ExpertProgram;

impl ProgramPlayers for ExpertProgram {
    const PROGRAM: Program = Program {
        name: built_in::EXPERT,
        about: "strongest bot, trained on games: belief tracking, learned values and strategies",
        options: &[WORLDS, durak::expert::HELP, TimeLimit::HELP, coup::expert::Settings::HELP],
    };

    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption> {
        G::expert(options)
    }
}

// The whole programs are compiled here, once: a function with a type would be compiled again in each of them.

/// The program `random`, on the arguments and the standard streams of this process.
#[inline(never)]
pub fn random() -> ExitCode {
    run::<RandomProgram>()
}

#[inline(never)]
pub fn greedy() -> ExitCode {
    run::<GreedyProgram>()
}

#[inline(never)]
pub fn minimax() -> ExitCode {
    run::<MinimaxProgram>()
}

#[inline(never)]
pub fn expert() -> ExitCode {
    run::<ExpertProgram>()
}

/// Runs the program of this name on these arguments and the standard streams of this process; nothing if there is
/// none. `call` is how its user starts it, for its help.
pub fn run_named(name: &str, call: &str, arguments: Vec<OsString>) -> Option<ExitCode> {
    let place = ALL.iter().position(|program| program.name == name)?;
    Some(RUN[place](call, arguments))
}

impl Program {
    pub fn games(&self) -> String {
        self.games_played().collect::<Vec<_>>().join(", ")
    }

    pub fn games_played(&self) -> impl Iterator<Item = &'static str> {
        games_of(|kind| plays(self, kind))
    }
}

pub fn plays(program: &Program, kind: &GameKind) -> bool {
    player(kind, program.name, &[]).is_ok()
}

pub fn playing(kind: &GameKind) -> impl Iterator<Item = &'static Program> {
    ALL.into_iter().chain(YARDSTICKS).filter(move |program| plays(program, kind))
}

/// Why a program or a yardstick does not play a game with these options, in one line; nothing where it
/// does, or where the name or the options are wrong.
///
/// ```
/// use bots::programs::refusal;
/// use rules::GameKind;
///
/// let coup: GameKind = "coup".parse()?;
/// assert_eq!(refusal("greedy", &coup, "seats=4 rules=court"), None);
/// assert!(refusal("calculator", &coup, "seats=4 rules=court").is_some());
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn refusal(name: &str, kind: &GameKind, options: &str) -> Option<String> {
    struct RefusalVisitor<'a>(&'a str, &'a str);
    impl PlayersVisitor for RefusalVisitor<'_> {
        type Output = Option<String>;
        fn visit<G: Players>(self) -> Self::Output {
            G::refusal(self.0, &self.1.parse().ok()?)
        }
    }
    visit(kind, RefusalVisitor(name, options)).ok().flatten()
}

pub fn typed_player<G: Players>(name: &str, options: &[String]) -> Result<AnyPlayer<G>, BadOption> {
    let program = ALL.into_iter().chain(YARDSTICKS).find(|program| program.name == name);
    G::player(name, options).map_err(|bad| match program {
        Some(program) => program.placed(bad),
        None => bad,
    })
}

/// A player of a game, behind text.
pub fn player(
    kind: &GameKind,
    name: &str,
    options: &[String],
) -> Result<Box<dyn AnyGamePlayer>, BadOption> {
    struct PlayerVisitor<'a>(&'a str, &'a [String]);
    impl PlayersVisitor for PlayerVisitor<'_> {
        type Output = Result<Box<dyn AnyGamePlayer>, BadOption>;
        fn visit<G: Players>(self) -> Self::Output {
            let player = typed_player::<G>(self.0, self.1)?;
            Ok(player::playing::<G>(self.0, player))
        }
    }
    match visit(kind, PlayerVisitor(name, options)) {
        Ok(player) => player,
        Err(none) => {
            let of_any_game = (name == RANDOM.name).then(RandomProgram::of_any_game).flatten();
            of_any_game.ok_or_else(|| none.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_name_of_every_player() {
        let names: Vec<&str> = ALL.into_iter().chain(YARDSTICKS).map(|it| it.name).collect();
        assert_eq!(names, built_in::NAMES);
    }
}
