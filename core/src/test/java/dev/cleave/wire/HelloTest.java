package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class HelloTest {

    /** A peer that knows one of two features with the same bit would be taken to know the other one. */
    @Test
    void eachFeatureHasABitOfItsOwn() throws IllegalAccessException {
        List<Long> bits = new ArrayList<>();
        for (Field field : Hello.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == long.class) {
                bits.add(field.getLong(null));
            }
        }
        for (FrameKind kind : FrameKind.values()) {
            if (kind.feature() != 0) {
                bits.add(kind.feature());
            }
        }

        assertThat(bits).hasSizeGreaterThan(15).doesNotHaveDuplicates();
        assertThat(bits).allMatch(bit -> Long.bitCount(bit) == 1);
    }
}
