//! The cast of a table: one person and the chosen bots, ready to be started.

use rules::{GameKind, Seat};

use crate::people::table_offer::{OfferedBot, OfferedGame, TableOffer};
use bot::manifest::ProgramMode;
use bot::sandboxed::SandboxedBots;
use bot::sighted;
use bot::{Contender, EXPECTED_PERSON, looks_like, person_name};
use contest::playing::Player;
use contest::playing::bot::Bot;
use contest::setup;
use series::header::CommittedSeed;
use series::{BotTreatment, Conditions};
use series::{Header, IsolationLine, PlayerLine, SuspectGames};

/// Starts the players other than the person, in the order of their seats, or gives the reason why it cannot in one line.
type OpponentStarter = Box<dyn FnOnce() -> Result<Vec<Box<dyn Player>>, String> + Send>;

/// The game, seat and opponents that a person has chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameChoice {
    pub kind: GameKind,
    pub name: String,
    /// The number of the person's seat.
    pub seat: usize,
    /// The names of the bots on the other seats, in their order.
    pub opponents: Vec<String>,
}

/// A game of a person that can be played.
pub struct PreparedGame {
    /// The first line of its log: one game, and one of its players is a person.
    pub header: Header,
    /// The seed of the deal.
    pub seed: CommittedSeed,
    /// The bots on the other seats, by the names under which they are offered.
    pub opponents: Vec<String>,
    pub sandboxed: SandboxedBots,
    pub players: OpponentStarter,
}

impl PreparedGame {
    /// The game that a person has chosen. The files of the bots are read, and nothing is started.
    ///
    /// # Errors
    ///
    /// A line with the part of the choice that cannot be, and the expected one.
    pub fn new(offer: &TableOffer, choice: &GameChoice) -> Result<PreparedGame, String> {
        let GameChoice { kind, name, seat, opponents } = choice;
        let game = offer.games.iter().find(|game| game.kind == *kind);
        let game = game.ok_or_else(|| format!("{kind} is not available"))?;
        let options = options(game, opponents.len() + 1)?;
        if *seat > opponents.len() {
            return Err(format!("no seat {seat}: seats are 0 to {}", opponents.len()));
        }
        let name = person_name(name).ok_or_else(|| format!("invalid name: {EXPECTED_PERSON}"))?;
        let names = player_names(opponents)?;
        if let Some(same) = names.iter().find(|other| looks_like(other, &name)) {
            return Err(format!("a bot is named `{same}`: choose another name"));
        }
        let refusals = opponents.iter().filter_map(|name| refusal(offer, name, kind, &options));
        if let Some(refusal) = refusals.into_iter().next() {
            return Err(refusal);
        }
        let conditions = &offer.conditions;
        let contenders = contenders(offer, &names, opponents)?;
        let seed = setup::seed_or_drawn(None).map(CommittedSeed).map_err(|it| it.to_string())?;
        let supervisor = setup::complete(conditions.isolation.isolation);
        let supervisor =
            supervisor.map_err(|it| it.to_string())?.pondering(conditions.treatment.ponder);
        let mut players: Vec<PlayerLine> = contenders.iter().map(PlayerLine::from).collect();
        players.insert(*seat, PlayerLine::person(&name));
        // No game of people is played again, and no seed of it has words of participants.
        let suspect_games = Some(SuspectGames::Count);
        let treatment = BotTreatment { suspect_games, ..conditions.treatment };
        let of_people = Conditions { treatment, ..Conditions::default() };
        let header = Header {
            isolation: IsolationLine::new(supervisor),
            ..Header::new(kind, options, players, seed.commitment())
        }
        .under(&of_people);
        let sandboxed = SandboxedBots::new(&contenders, supervisor);
        let players = Box::new(move || {
            let bots = Bot::all_ready(&contenders, supervisor).map_err(|it| it.to_string())?;
            Ok(bots.into_iter().map(|bot| Box::new(bot) as Box<dyn Player>).collect())
        });
        Ok(PreparedGame { header, seed, opponents: opponents.clone(), sandboxed, players })
    }

    /// The seat of the person; none where there is none.
    pub(super) fn seat(&self) -> Option<Seat> {
        self.header.players.iter().position(PlayerLine::is_person).and_then(Seat::new)
    }
}

/// Why an opponent, if it is a built-in bot, does not play a game with these options.
fn refusal(offer: &TableOffer, name: &str, kind: &GameKind, options: &str) -> Option<String> {
    let built_in = offer.opponents.iter().find(|it| it.is_built_in && it.name == name)?;
    bots::programs::refusal(&built_in.name, kind, options)
}

fn options(game: &OfferedGame, seats: usize) -> Result<String, String> {
    if !game.seats.contains(&seats) {
        let expected: Vec<String> = game.seats.iter().map(|it| (it - 1).to_string()).collect();
        let expected = expected.join(" or ");
        return Err(format!("{} bots: choose {expected} in {}", seats - 1, game.kind));
    }
    match &game.options {
        Some(options) => Ok(options.clone()),
        None => {
            game.kind.check_options(&format!("seats={seats}")).map_err(|error| error.to_string())
        }
    }
}

/// A name for each seat of a bot: one that sits at several gets numbers.
fn player_names(opponents: &[String]) -> Result<Vec<String>, String> {
    let name = |(place, name): (usize, &String)| {
        let count = 1 + opponents[..place].iter().filter(|before| *before == name).count();
        match count {
            1 => Ok(name.clone()),
            _ if name.contains(['@', '#']) => {
                Err(format!("`{name}` is chosen twice: choose it for one seat"))
            }
            _ => Ok(format!("{name}#{count}")),
        }
    };
    opponents.iter().enumerate().map(name).collect()
}

fn contenders(
    offer: &TableOffer,
    names: &[String],
    opponents: &[String],
) -> Result<Vec<Contender>, String> {
    let TableOffer { conditions, remote, beside, kept, .. } = offer;
    let isolation = &conditions.isolation;
    let search = setup::search_path().map_err(|error| error.to_string())?;
    let search = beside.as_ref().map_or(search.clone(), |beside| search.from(beside));
    let contender = |(name, opponent): (&String, &String)| {
        let known = offer.opponents.iter().find(|it| it.name == *opponent);
        let OfferedBot { bot, limits, entered, .. } =
            known.ok_or_else(|| format!("no bot `{opponent}` here"))?;
        isolation.check(name, bot).map_err(|error| error.request_text())?;
        if let Some(access) = remote.as_ref().filter(|_| bot.mode() == ProgramMode::Remote) {
            return Ok(Contender::remote(opponent, *limits, access.clone()));
        }
        let ready =
            Contender::prepare(bot, name, *limits, &search, &isolation.outside_access(name))
                .map_err(|error| format!("bot `{name}`: {error}"))?;
        match entered.as_ref().is_none_or(|files| ready.digests() == *files) {
            true => Ok(ready),
            false => Err(format!("bot `{opponent}` has changed since it entered the league")),
        }
    };
    let contenders: Result<Vec<_>, String> = names.iter().zip(opponents).map(contender).collect();
    Ok(sighted(contenders?, &isolation.grants, kept))
}
