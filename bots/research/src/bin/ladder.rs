//! Plays all pairs of built-in players against each other, or one player with more and more time, and
//! prints a table for documents: `ladder --game coup --deals 1000 --seed f0`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::process::ExitCode;

use arbiter::output::progress_bar::GameProgressBar;
use clap::Parser;
use research::ladder::Course;
use research::ladder::curve::Curve;
use research::ladder::players::{self, Contender};
use research::ladder::table::Table;
use research::program::{self, SeedArgs, WorkerArgs};
use rules::GameKind;

/// Measure how strong built-in players are against each other, and print a table in Markdown
///
/// A PLAYER is a name with options, quoted as one word, as `arbiter bots` lists them. All pairs play the
/// same deals, each in both orders of seats. With budgets that are counted, such as --worlds N --time none,
/// the same seed gives the same table, on any machine and with any number of threads.
#[derive(Debug, Parser)]
#[command(name = "ladder", max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    /// tablic, coup or durak
    #[arg(long)]
    game: GameKind,
    /// Who plays, all words up to the next option [default: all built-in players of the game, in the
    /// settings that are worth comparing]
    #[arg(long, value_name = "PLAYER", num_args = 1.., conflicts_with = "curve")]
    players: Option<Vec<Contender>>,
    /// One player with `{}` in its options, where the steps go
    #[arg(long, value_name = "PLAYER", requires_all = ["steps", "against"])]
    curve: Option<String>,
    /// What stands there in turn
    #[arg(long, value_name = "STEP,…", value_delimiter = ',', requires = "curve")]
    steps: Vec<String>,
    /// The opponent of the curve's player
    #[arg(long, value_name = "PLAYER", requires = "curve")]
    against: Option<Contender>,
    /// How many deals each pair plays
    #[arg(long, value_name = "N", default_value = "100")]
    deals: NonZeroU64,
    #[command(flatten)]
    seed: SeedArgs,
    /// Options of the game, as `deck=24 transfer=on`; there are two seats always
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    options: String,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ladder --game coup --deals 1000 --seed f0
  ladder --game durak --players greedy lowest \"minimax --depth 4 --time none\"
  ladder --game tablic --curve \"expert --time {}\" --steps 1ms,10ms,100ms,1s --against \"minimax --depth 3\"";

enum Played {
    Pairs(Vec<Contender>),
    Curve(Curve),
}

impl Played {
    fn new(given: &Arguments) -> Result<Played, String> {
        let kind = &given.game;
        let Some((player, against)) = given.curve.as_ref().zip(given.against.as_ref()) else {
            let players = match &given.players {
                None => players::usual(kind),
                Some(named) => named.clone(),
            };
            if players.len() < 2 {
                return Err("expected two players or more after `--players`".to_owned());
            }
            players.iter().try_for_each(|player| check(player, kind))?;
            return Ok(Played::Pairs(players));
        };
        check(against, kind)?;
        let (player, steps, against) = (player.clone(), given.steps.clone(), against.clone());
        let curve = Curve { player, steps, against };
        for player in curve.players().map_err(|bad| format!("after `--curve`: {bad}"))? {
            check(&player, kind)?;
        }
        Ok(Played::Curve(curve))
    }
}

fn check(player: &Contender, kind: &GameKind) -> Result<(), String> {
    let checked = player.check(kind);
    checked.map_err(|bad| format!("{bad}, `arbiter bots` lists players and options"))
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        println!("{}", run(&given)?.trim_end());
        Ok(())
    })
}

fn run(given: &Arguments) -> Result<String, String> {
    let options = format!("{} seats=2", given.options);
    let course = Course {
        kind: given.game.clone(),
        options: given.game.check_options(&options).map_err(|bad| bad.to_string())?,
        deals: given.deals.get(),
        seed: given.seed.seed.clone(),
    };
    let played = Played::new(given)?;
    let games = match &played {
        Played::Pairs(players) => Table::games(&course, players.len()),
        Played::Curve(curve) => course.games().saturating_mul(curve.steps.len() as u64),
    };
    let bar = GameProgressBar::start(games).map_err(|error| error.to_string())?;
    let mut game_over = || bar.game_over();
    let text = match &played {
        Played::Pairs(players) => {
            let table = Table::play(&course, players, given.workers.count(), &mut game_over);
            table.map(|table| if given.json { table.json() } else { Ok(table.markdown()) })
        }
        Played::Curve(curve) => {
            // One thread, so that no player takes time from another.
            let workers = given.workers.workers.unwrap_or(NonZeroUsize::MIN);
            let points = curve.play(&course, workers, &mut game_over);
            points.map(|points| if given.json { points.json() } else { Ok(points.markdown()) })
        }
    };
    bar.finish();
    text.map_err(|failed| failed.to_string())?.map_err(|error| error.to_string())
}
