//! Writes Protocol Buffers, as far as an ONNX model needs them.
//!
//! A message is a sequence of fields, each with a *tag* (the number of the field and how its value is
//! encoded) and a value: either a number, seven bits per byte, or a length followed by as many bytes.
//! Lists of numbers are such bytes too, one number after the other.

/// A message, growing field by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// With a number in this field.
    pub(super) fn int(mut self, field: u32, number: i64) -> Self {
        self.tag(field, 0);
        push_varint(&mut self.0, number as u64);
        self
    }

    /// With bytes in this field.
    pub(super) fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.tag(field, 2);
        push_varint(&mut self.0, bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// With a text in this field.
    pub(super) fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// With each of these texts in this field.
    pub(super) fn texts(self, field: u32, texts: &[impl AsRef<str>]) -> Self {
        texts.iter().fold(self, |message, text| message.text(field, text.as_ref()))
    }

    /// With each of these messages in this field.
    pub(super) fn messages(self, field: u32, messages: &[Message]) -> Self {
        messages.iter().fold(self, |whole, message| whole.bytes(field, &message.0))
    }

    /// With a message in this field.
    pub(super) fn message(self, field: u32, message: Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// With a list of numbers in this field.
    pub(super) fn ints(self, field: u32, numbers: &[i64]) -> Self {
        let mut list = Vec::new();
        numbers.iter().for_each(|&number| push_varint(&mut list, number as u64));
        self.bytes(field, &list)
    }

    /// With a list of short floats in this field.
    pub(super) fn floats(self, field: u32, numbers: &[f32]) -> Self {
        let list: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(field, &list)
    }

    /// With a list of floats in this field.
    pub(super) fn doubles(self, field: u32, numbers: &[f64]) -> Self {
        let list: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(field, &list)
    }

    /// The message as it is stored.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn tag(&mut self, field: u32, way: u64) {
        push_varint(&mut self.0, u64::from(field) << 3 | way);
    }
}

/// Seven bits to the byte, the least first; the eighth says that more follow.
fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        let empty = Message::default;
        assert_eq!(empty().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(empty().int(1, -1).into_bytes().len(), 11);
        assert_eq!(empty().text(2, "ab").into_bytes(), [0x12, 2, b'a', b'b']);
        assert_eq!(empty().ints(4, &[3, 270]).into_bytes(), [0x22, 3, 3, 0x8e, 0x02]);
        assert_eq!(empty().floats(7, &[1.0]).into_bytes(), [0x3a, 4, 0, 0, 0x80, 0x3f]);
        assert_eq!(empty().int(20, 6).into_bytes(), [0xa0, 0x01, 6]);
        assert_eq!(empty().message(3, empty().int(1, 1)).into_bytes(), [0x1a, 2, 8, 1]);
    }
}
