//! Programs that are asked a request, and whether they may answer it like this.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use rules::Request;
use rules::tablic::{Move, Tablic};
use rules::{BotSeed, Game};
use search::{InformationState, WorldSampler};

/// Runs a program with this input to its end.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a program that starts");
    // A program that ends without reading closes the pipe, which is for the caller to judge.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the end of the program")
}

/// Checks that the output is one line and a legal move, and that nothing but a note stands beside it.
#[track_caller]
pub(crate) fn is_legal(output: &Output, request: &str, whose: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    let notes = error.lines().all(|line| line.starts_with("note "));
    assert!(output.status.success() && notes, "{whose}: {}, {error}", output.status);
    assert_eq!(text.lines().count(), 1, "{whose} answers `{text}` to\n{request}");
    let mv: Move = text.trim_end().parse().expect("a move");
    let checked = position(request).check(&mv);
    assert_eq!(checked, Ok(()), "{whose} answers `{text}` to\n{request}");
}

/// A state that the request may be about. What the seat cannot know does not bear on its moves.
fn position(request: &str) -> Tablic {
    let request: Request<Tablic> = request.parse().expect("a request");
    let world = InformationState::read(&request).draw(&mut BotSeed([0; 8]).nature());
    world.expect("a history that leads to the request")
}
