//! The conformance suite on every game, and on a toy game with planted leaks.

use rules::conformance::conform;
use rules::tablic::{Options, SeatCount, Tablic};

#[test]
fn tablic_conforms_with_every_number_of_seats() {
    for seats in SeatCount::ALL {
        for seed in 0..200 {
            if let Err(b) = conform::<Tablic>(&Options { seats }, seed) {
                panic!("{} seats: {b}", seats.get());
            }
        }
    }
}
