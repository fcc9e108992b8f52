package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the orders of sorted collections: none, one of the JDK's by number, or an object whose type is allowed. */
final class Orders {

    private static final List<Comparator<?>> KNOWN =
            List.of(Comparator.naturalOrder(), Collections.reverseOrder(), String.CASE_INSENSITIVE_ORDER);
    private static final int OTHER = KNOWN.size() + 1;

    private static final Shape ORDER = Shapes.of(Comparator.class, Comparator.class);

    private Orders() {}

    static void write(Kryo kryo, Output output, @Nullable Comparator<?> order) {
        int known = order == null ? 0 : KNOWN.indexOf(order) + 1;
        output.writeByte(order != null && known == 0 ? OTHER : known);
        if (order != null && known == 0) {
            kryo.writeClassAndObject(output, order);
        }
    }

    @SuppressWarnings("unchecked")
    static @Nullable Comparator<Object> read(Kryo kryo, BoundedInput input) {
        int code = input.readByte();
        if (code == 0) {
            return null;
        }
        if (code < 0 || code > OTHER) {
            throw SerialException.malformed("order: " + code + " (expected: 0.." + OTHER + ")");
        }
        return (Comparator<Object>) (code == OTHER ? input.read(kryo, ORDER) : KNOWN.get(code - 1));
    }
}
