//! How texts pass in and out of the module: the referee asks for `room`, puts a call there, and reads the `answer`.

use std::cell::RefCell;

use crate::answer::answer_to;
use crate::game::Game;

/// What lives from call to call. The referee reads the answer before it calls again.
struct Held {
    call: Vec<u8>,
    answer: String,
    game: Option<Game>,
}

thread_local! {
    static HELD: RefCell<Held> =
        const { RefCell::new(Held { call: Vec::new(), answer: String::new(), game: None }) };
}

/// Does something with what lives. The module has one thread and never ends, so nothing is in the way.
fn with_held<T: Default>(act: impl FnOnce(&mut Held) -> T) -> T {
    HELD.try_with(|held| act(&mut held.borrow_mut())).unwrap_or_default()
}

/// The address where the referee may put a call of this many bytes.
#[no_mangle]
pub extern "C" fn room(bytes: i32) -> i32 {
    with_held(|held| {
        held.call.resize(bytes as usize, 0);
        held.call.as_ptr() as i32
    })
}

/// Answers the call that was put there: the address of the answer × 2³² + its length in bytes.
#[no_mangle]
pub extern "C" fn answer(bytes: i32) -> i64 {
    with_held(|Held { call, answer, game }| {
        let call = call.get(..bytes as usize).unwrap_or_default();
        answer.clear();
        // What is not UTF-8 is no call, and neither is an empty line.
        answer_to(game, std::str::from_utf8(call).unwrap_or_default(), answer);
        (answer.as_ptr() as i64) << 32 | answer.len() as i64
    })
}
