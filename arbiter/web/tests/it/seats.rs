//! Tables with players in the process of the test, and people who choose moves by number.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bot::sandboxed::SandboxedBots;
use contest::playing::{Player, Reply};
use rules::{Answer, GameKind, Measurements, Prompt, Seed, VoidCause};
use series::header::CommittedSeed;
use series::{Header, PlayerLine};
use web::people::{GameStage, TableView};
use web::people::{
    KnownLines, PlayFolder, PlayService, PlayTable, PreparedGame, TableSecret, TableTimeouts,
};

/// A built-in player.
struct BuiltIn {
    kind: GameKind,
    name: &'static str,
}

impl Player for BuiltIn {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let Prompt::Request(request) = prompt else {
            return Reply::void(VoidCause::worded("another dialect"));
        };
        let mut player = bots::programs::player(&self.kind, self.name, &[]).expect("a player");
        let answer = player.answer(request).expect("a move");
        Reply { answer: Answer::Output(answer.into_bytes()), measured: Measurements::default() }
    }
}

/// A game of `ann` on a seat against as many of a built-in player as there are other seats.
pub(crate) fn cast(
    kind: &GameKind,
    seats: usize,
    seat: usize,
    bot: &'static str,
    seed: u8,
) -> PreparedGame {
    let options = kind.check_options(&format!("seats={seats}")).expect("options");
    let name = |number: usize| if number == 1 { bot.to_owned() } else { format!("{bot}#{number}") };
    let mut players: Vec<PlayerLine> =
        (1..seats).map(|number| PlayerLine::in_process(&name(number), bot, 5000)).collect();
    players.insert(seat, PlayerLine::person("ann"));
    let seed = CommittedSeed(Seed([seed; 32]));
    let header = Header::new(kind, options, players, seed.commitment());
    let kind = kind.clone();
    let start = move || {
        let player = |_| Box::new(BuiltIn { kind: kind.clone(), name: bot }) as Box<dyn Player>;
        Ok((1..seats).map(player).collect())
    };
    PreparedGame {
        header,
        seed,
        opponents: vec![bot.to_owned(); seats - 1],
        sandboxed: SandboxedBots::default(),
        players: Box::new(start),
    }
}

/// A folder for this number of people who take their time.
pub(crate) fn people(folder: &Path, most: usize) -> PlayFolder {
    patient(folder, most, TableTimeouts::default())
}

/// A folder for this number of people, with this patience.
pub(crate) fn patient(folder: &Path, most: usize, patience: TableTimeouts) -> PlayFolder {
    PlayFolder::new(folder, Arc::new(PlayService::new(most, patience)))
}

/// Opens a table that must be free.
pub(crate) fn open(people: &PlayFolder, cast: PreparedGame) -> (TableSecret, Arc<PlayTable>) {
    let secret = people.open(cast, None).expect("a table");
    (secret, people.table(secret).expect("the same table"))
}

/// Everything that a page sees until nothing more happens, where each move is the one of this number
/// modulo the number of moves, which is counted on by an odd step.
pub(crate) fn play(table: &Arc<PlayTable>, mut number: usize) -> Vec<TableView> {
    watch(table, &mut |sight| {
        let turn = sight.turn.as_ref().expect("a turn");
        number = number.wrapping_mul(31).wrapping_add(17);
        let chosen = &turn.moves[number % turn.moves.len()];
        assert_eq!(table.play(turn.number, &chosen.text).as_ref(), Ok(&chosen.text));
    })
}

/// Everything that a page sees until nothing more happens; `act` is told of each turn once.
pub(crate) fn watch(table: &Arc<PlayTable>, act: &mut dyn FnMut(&TableView)) -> Vec<TableView> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let _looking = PlayTable::look(table);
    let mut changes = table.changes();
    let (mut seen, mut turns) = (Vec::new(), 0);
    loop {
        changes.mark_unchanged();
        let sight = table.sight(KnownLines::default());
        let turn = sight.turn.as_ref().map_or(turns, |turn| turn.number);
        let is_last = sight.stage.is_last();
        if turn > turns {
            turns = turn;
            act(&sight);
        }
        seen.push(sight);
        if is_last {
            return seen;
        }
        runtime.block_on(changes.changed()).expect("the table is there");
    }
}

/// The last stage that a page saw.
pub(crate) fn stage(seen: &[TableView]) -> Option<GameStage> {
    seen.last().map(|sight| sight.stage)
}
