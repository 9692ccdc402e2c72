//! The protocol of rules for a module. It can stay as it is: the game is in `game.rs`.

use std::cell::RefCell;

use crate::Game;

/// Lines of an answer.
pub type Lines = Vec<String>;

/// Why something is not possible. Nothing has changed then.
pub struct Refused(pub &'static str);

/// What a game answers.
pub trait Rules: Sized {
    /// The description of the game.
    const ABOUT: &'static str;

    /// Begins a game with these options, each a key and a value.
    fn begin(options: &[(&str, &str)]) -> Result<Self, Refused>;

    /// What comes next, and what each seat may know.
    fn state(&self) -> Lines;

    /// Nature has decided this: the events.
    fn happen(&mut self, outcome: &str) -> Result<Lines, Refused>;

    /// Is this move legal now?
    fn check(&self, choice: &str) -> Result<(), Refused>;

    /// The seat whose turn it is plays this legal move: the events.
    fn play(&mut self, choice: &str) -> Lines;
}

/// Answers a call.
fn answered(call: &str, game: &mut Option<Game>) -> Result<Lines, Refused> {
    let (verb, rest) = call.split_once(' ').unwrap_or((call, ""));
    let mut lines = match (verb, game.as_mut()) {
        ("about", _) => return Ok(Game::ABOUT.lines().map(str::to_owned).collect()),
        ("new", _) => {
            let words = rest.split(' ').map(|word| word.split_once('=').unwrap_or((word, "")));
            *game = Some(Game::begin(&words.collect::<Vec<_>>())?);
            Lines::new()
        }
        (_, None) => return Err(Refused("no game has begun")),
        ("happen", Some(game)) => game.happen(rest)?,
        ("play", Some(game)) => {
            game.check(rest)?;
            game.play(rest)
        }
        ("check", Some(game)) => {
            game.check(rest)?;
            return Ok(vec!["ok".to_owned()]);
        }
        _ => return Err(Refused("this call is not known")),
    };
    lines.extend(game.iter().flat_map(Game::state));
    Ok(lines)
}

thread_local! {
    static GAME: RefCell<Option<Game>> = const { RefCell::new(None) };
    static CALL: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The place for a call of this many bytes.
#[no_mangle]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    CALL.with_borrow_mut(|call| {
        call.resize(bytes, 0);
        call.as_mut_ptr()
    })
}

/// Answers the call that was put there: the address of the answer, and its length in the lower half.
#[no_mangle]
pub extern "C" fn answer(bytes: usize) -> u64 {
    let lines = CALL.with_borrow(|call| {
        let call = std::str::from_utf8(&call[..bytes]).expect("a call is text");
        GAME.with_borrow_mut(|game| answered(call, game))
    });
    let lines = lines.unwrap_or_else(|Refused(reason)| vec![format!("refused {reason}")]);
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        for line in lines {
            answer.push_str(&line);
            answer.push('\n');
        }
        (answer.as_ptr() as u64) << 32 | answer.len() as u64
    })
}
