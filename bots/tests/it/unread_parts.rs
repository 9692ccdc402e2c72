//! Parts of a request that a player says it does not read.

use bots::tablic::Tablic;
use bots::{Players, RequestPart, programs};
use rules::Request;

use crate::samples;

#[test]
fn unread_parts_of_a_request_do_not_matter_to_a_player() {
    for program in programs::ALL {
        let options: &[&str] = match program.name {
            "minimax" => &["--depth", "1"],
            "expert" => &["--worlds", "20", "--time", "none"],
            _ => &[],
        };
        let options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
        for (name, text) in samples::all() {
            let mut player = Tablic::player(program.name, &options).unwrap();
            let mut request: Request<Tablic> = text.parse().unwrap();
            let with_all = player.choose(&request);
            if !player.reads().contains(&RequestPart::History) {
                request.history.clear();
            }
            if !player.reads().contains(&RequestPart::LegalMoves) {
                request.legal.clear();
            }
            assert_eq!(player.choose(&request), with_all, "{} on {name}", program.name);
        }
    }
}
