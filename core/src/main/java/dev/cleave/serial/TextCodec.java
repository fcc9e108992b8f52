package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.function.Function;

/** Writes a value that its text describes completely. */
final class TextCodec<T> extends Serializer<T> {

    private final Function<T, String> text;
    private final Function<String, T> value;

    TextCodec(Function<T, String> text, Function<String, T> value) {
        this.text = text;
        this.value = value;
    }

    @Override
    public void write(Kryo kryo, Output output, T object) {
        output.writeString(text.apply(object));
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
        String read = input.readString();
        if (read == null) {
            throw SerialException.malformed(type.getName() + ": null (expected: text)");
        }
        return value.apply(read);
    }
}
