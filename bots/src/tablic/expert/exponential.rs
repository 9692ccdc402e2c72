//! The exponential function, with the same bits on every machine.
//!
//! That of the standard library is the system's, and systems round differently. A move that hangs on
//! the last bit would then depend on the machine. Additions and multiplications do not.

/// The numbers beyond which it does not tell numbers apart.
const MOST: f32 = 60.0;

/// The exponential of a number, to about six digits; numbers beyond 60 count as 60, and so below zero.
///
/// With `x = n·ln 2 + r` it is `2ⁿ` times the first terms of the series of `eʳ`.
pub(super) fn exponential(number: f32) -> f32 {
    let number = number.clamp(-MOST, MOST);
    let whole = (number * std::f32::consts::LOG2_E).round();
    let rest = number - whole * std::f32::consts::LN_2;
    let series = (1..=7).rev().fold(1.0, |sum, term| 1.0 + sum * rest / term as f32);
    // The exponent of a float in its bits; it lies far inside its range.
    let power = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    series * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_near_that_of_the_system() {
        for step in -600..=600 {
            let number = step as f32 / 10.0;
            let (found, expected) = (exponential(number), number.exp());
            assert!((found - expected).abs() <= 1e-5 * expected, "{number}: {found}, {expected}");
        }
        assert_eq!(exponential(0.0).to_bits(), 1.0f32.to_bits());
        assert_eq!(exponential(1e9).to_bits(), exponential(60.0).to_bits());
    }
}
