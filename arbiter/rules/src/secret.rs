//! What not every seat may know.

use crate::seat::Seat;

/// Something that not every seat may know.
pub trait Secret: Sized {
    /// The one seat that may know all of it; `None` if everyone may.
    fn owner(&self) -> Option<Seat>;

    /// The form that the others see; `None` if they see nothing at all.
    fn public(&self) -> Option<Self>;
}

/// Redacts an event for a seat: the only redaction in the project.
pub fn seen_by<E: Secret + Clone>(event: &E, seat: Seat) -> Option<E> {
    match event.owner() {
        Some(owner) if owner != seat => event.public(),
        _ => Some(event.clone()),
    }
}
