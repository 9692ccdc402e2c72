//! Plays all pairs of built-in players against each other, or one player with more and more time, and
//! prints a table for documents: `ladder --game coup --deals 1000 --seed f0`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::process::ExitCode;
use std::str::FromStr;
use std::thread;

use arbiter::output::game_bar::GameBar;
use research::ladder::Course;
use research::ladder::curve::Curve;
use research::ladder::players::{self, Contender};
use research::ladder::table::Table;
use research::program;
use rules::GameKind;

const HELP: &str = "\
ladder: how strong built-in players are against each other, as a table in Markdown

Usage: ladder --game GAME [--players PLAYER…] [OPTIONS]
       ladder --game GAME --curve PLAYER --steps STEP,… --against PLAYER [OPTIONS]

A PLAYER is a name with options, quoted as one word, as `arbiter bots` lists them. All pairs play the
same deals, each in both orders of seats. With budgets that are counted, such as --worlds N --time none,
the same seed gives the same table, on any machine and with any number of threads.

Options:
  --game GAME        tablic, coup or durak
  --players PLAYER…  who plays, all words up to the next option; may be repeated (all built-in players
                     of the game, in the settings that are worth comparing)
  --curve PLAYER     one player with `{}` in its options, where the steps go
  --steps STEP,…     what stands there in turn
  --against PLAYER   its opponent
  --deals N          how many deals each pair plays (100)
  --seed DIGITS      how the seed begins, up to 64 hexadecimal digits; the others are 0 (aa)
  --options TEXT     options of the game, as `deck=24 transfer=on`; there are two seats always
  --workers N        how many threads (one for each core; 1 for a curve, so that none takes time from
                     another)
  --json             one line of JSON instead of a table

Examples:
  ladder --game coup --deals 1000 --seed f0
  ladder --game durak --players greedy lowest \"minimax --depth 4 --time none\"
  ladder --game tablic --curve \"expert --time {}\" --steps 1ms,10ms,100ms,1s --against \"minimax --depth 3\"";

/// What was asked for.
struct Plan {
    course: Course,
    played: Played,
    workers: NonZeroUsize,
    format: Format,
}

/// Who plays whom.
enum Played {
    Pairs(Vec<Contender>),
    Curve(Curve),
}

enum Format {
    Markdown,
    Json,
}

fn main() -> ExitCode {
    program::run("ladder", HELP, |words| {
        println!("{}", run(&plan(words)?)?.trim_end());
        Ok(())
    })
}

/// The words of a command line as they are given.
#[derive(Default)]
struct Given {
    game: Option<String>,
    players: Option<Vec<String>>,
    curve: Option<String>,
    steps: Option<String>,
    against: Option<String>,
    deals: Option<String>,
    seed: Option<String>,
    options: Option<String>,
    workers: Option<String>,
    format: Option<Format>,
}

impl Given {
    fn read(words: &[String]) -> Result<Given, String> {
        let mut given = Given::default();
        let mut words = words.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word, None),
            };
            let field = match name {
                "--json" => {
                    given.format = Some(Format::Json);
                    continue;
                }
                "--players" => {
                    let players = given.players.get_or_insert_default();
                    players.extend(value);
                    while let Some(player) = words.next_if(|word| !word.starts_with("--")) {
                        players.push(player.to_owned());
                    }
                    continue;
                }
                "--game" => &mut given.game,
                "--curve" => &mut given.curve,
                "--steps" => &mut given.steps,
                "--against" => &mut given.against,
                "--deals" => &mut given.deals,
                "--seed" => &mut given.seed,
                "--options" => &mut given.options,
                "--workers" => &mut given.workers,
                _ => return Err(format!("unknown argument `{}`, try --help", word.escape_debug())),
            };
            *field = value.or_else(|| words.next().map(str::to_owned));
            if field.is_none() {
                return Err(format!("expected a value after `{name}`, try --help"));
            }
        }
        Ok(given)
    }
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let given = Given::read(words)?;
    let kind: GameKind = match &given.game {
        Some(game) => game.parse().map_err(|bad| format!("after `--game`: {bad}"))?,
        None => return Err("expected `--game GAME`, try --help".to_owned()),
    };
    let options = format!("{} seats=2", given.options.unwrap_or_default());
    let course = Course {
        kind,
        options: kind.check_options(&options).map_err(|bad| bad.to_string())?,
        deals: number("--deals", given.deals)?.map_or(100, NonZeroU64::get),
        seed: program::asked_seed(given.seed.as_deref().unwrap_or("aa"))?,
    };
    let played = match (given.curve, given.steps, given.against) {
        (None, None, None) => Played::Pairs(pairs(kind, given.players.as_deref())?),
        (Some(player), Some(steps), Some(against)) if given.players.is_none() => {
            let steps = steps.split(',').map(str::to_owned).collect();
            Played::Curve(Curve { player, steps, against: contender(kind, &against)? })
        }
        _ => {
            let problem =
                "expected either `--players`, or `--curve` with `--steps` and `--against`";
            return Err(format!("{problem}, try --help"));
        }
    };
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let usual = match &played {
        Played::Pairs(_) => cores(),
        Played::Curve(curve) => {
            for player in curve.players().map_err(|bad| format!("after `--curve`: {bad}"))? {
                player.check(kind).map_err(|bad| bad.to_string())?;
            }
            NonZeroUsize::MIN
        }
    };
    let workers = number("--workers", given.workers)?.unwrap_or(usual);
    Ok(Plan { course, played, workers, format: given.format.unwrap_or(Format::Markdown) })
}

/// The players that are named, or else all.
fn pairs(kind: GameKind, named: Option<&[String]>) -> Result<Vec<Contender>, String> {
    let players = match named {
        None => players::usual(kind),
        Some(named) => named.iter().map(|text| contender(kind, text)).collect::<Result<_, _>>()?,
    };
    match players.len() {
        0 | 1 => Err("expected two players or more after `--players`".to_owned()),
        _ => Ok(players),
    }
}

fn contender(kind: GameKind, text: &str) -> Result<Contender, String> {
    let player: Contender = text.parse().map_err(|bad| format!("{bad}"))?;
    player.check(kind).map_err(|bad| format!("{bad}, `arbiter bots` lists players and options"))?;
    Ok(player)
}

/// A number from 1, if one is given.
fn number<N: FromStr>(name: &str, given: Option<String>) -> Result<Option<N>, String> {
    given.map(|text| program::number(name, &text)).transpose()
}

fn run(plan: &Plan) -> Result<String, String> {
    let Plan { course, played, workers, .. } = plan;
    let games = match played {
        Played::Pairs(players) => Table::games(course, players.len()),
        Played::Curve(curve) => course.games().saturating_mul(curve.steps.len() as u64),
    };
    let bar = GameBar::start(games).map_err(|error| error.to_string())?;
    let mut game_over = || bar.game_over();
    let text = match (played, &plan.format) {
        (Played::Pairs(players), format) => {
            let table = Table::play(course, players, *workers, &mut game_over);
            table.map(|table| match format {
                Format::Markdown => Ok(table.markdown()),
                Format::Json => table.json(),
            })
        }
        (Played::Curve(curve), format) => {
            let points = curve.play(course, *workers, &mut game_over);
            points.map(|points| match format {
                Format::Markdown => Ok(points.markdown()),
                Format::Json => points.json(),
            })
        }
    };
    bar.finish();
    text.map_err(|failed| failed.to_string())?.map_err(|error| error.to_string())
}
