package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-jdk")
class ClassHierarchyTest {

    private final List<String> read = new ArrayList<>();
    private final ClassHierarchy hierarchy = new ClassHierarchy(name -> {
        read.add(name);
        return ClassFileSource.ofResources(null, name);
    });

    @ParameterizedTest
    @CsvSource({
        "java/util/ArrayList,          java/util/ArrayList,        java/util/ArrayList",
        "java/util/ArrayList,          java/util/AbstractList,     java/util/AbstractList",
        "java/util/AbstractList,       java/util/ArrayList,        java/util/AbstractList",
        "java/lang/Integer,            java/lang/Long,             java/lang/Number",
        "java/lang/Integer,            java/lang/String,           java/lang/Object",
        "java/util/List,               java/util/ArrayList,        java/lang/Object",
        "java/util/ArrayList,          java/util/List,             java/lang/Object",
        "java/lang/Object,             no/such/Class,              java/lang/Object",
        "[I,                           java/lang/String,           java/lang/Object",
        "[Ljava/lang/Integer;,         [Ljava/lang/Long;,          [Ljava/lang/Number;",
        "[Ljava/util/List;,            [Ljava/util/Set;,           [Ljava/lang/Object;",
        "[I,                           [J,                         java/lang/Object",
        "[[I,                          [[J,                        [Ljava/lang/Object;",
        "[[I,                          [Ljava/lang/String;,        [Ljava/lang/Object;",
        "[[Ljava/lang/String;,         [I,                         java/lang/Object",
        "[[Ljava/lang/Integer;,        [[Ljava/lang/Long;,         [[Ljava/lang/Number;",
        "[[[Ljava/lang/Integer;,       [[Ljava/lang/Long;,         [[Ljava/lang/Object;"
    })
    void findsTheClassThatTheVerifierMayUseForBoth(String first, String second, String common) {
        assertThat(hierarchy.commonSuperClass(first, second)).isEqualTo(common);
        assertThat(hierarchy.commonSuperClass(second, first)).isEqualTo(common);
    }

    @Test
    void namesTheClassThatItCannotFind() {
        assertThatThrownBy(() -> hierarchy.commonSuperClass("java/lang/Integer", "no/such/Class"))
                .isInstanceOf(UnknownClassException.class)
                .hasMessage("class file not found: no/such/Class");
    }

    @Test
    void readsHitsAndMissesOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(hierarchy.find("java/lang/Integer")).isNotNull();
            assertThat(hierarchy.find("no/such/Class")).isNull();
        }

        assertThat(read).containsExactly("java/lang/Integer", "no/such/Class");
    }

    @Test
    void takesWhatIsNotAClassFileForMissing() {
        ClassHierarchy damaged = new ClassHierarchy(name -> new byte[] {1, 2, 3});

        assertThat(damaged.find("java/lang/Integer")).isNull();
    }
}
