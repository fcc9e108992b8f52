package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Serializer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JdkTypesTest {

    @Test
    void eachKnownTypeHasACodec() {
        for (Class<?> type : JdkTypes.known()) {
            Serializer<?> codec = JdkTypes.codec(type);
            assertThat(codec).as(type.getName()).isNotNull();
        }
    }

    @Test
    void eachCodecIsThatOfAKnownType() {
        assertThat(JdkTypes.known()).containsAll(JdkTypes.withCodecs());
        assertThat(JdkTypes.withCodecs()).hasSameSizeAs(JdkTypes.known());
    }

    @Test
    void collectionsThatTheJdkMakesAreKnown() {
        Stream.of(
                        List.of(),
                        List.of(1, 2, 3),
                        Stream.of(1).toList(),
                        Set.of(1, 2),
                        Map.of(1, 2),
                        Collections.unmodifiableList(new ArrayList<>()),
                        Collections.synchronizedMap(new TreeMap<>()),
                        Collections.unmodifiableNavigableSet(new TreeSet<>()))
                .forEach(each -> assertThat(JdkTypes.isKnown(each.getClass()))
                        .as(each.getClass().getName())
                        .isTrue());
    }

    @Test
    void otherClassesAreNotKnown() {
        assertThat(JdkTypes.isKnown(Thread.class)).isFalse();
        assertThat(JdkTypes.codec(Thread.class)).isNull();
    }
}
