package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** {@code docs/rules.md} names classes and tests that exist, and forgets no rule that it begins. */
@Tag("one-jdk")
class RulesTableTest {

    private static final String CORE = "core:";

    private static List<RulesTable.Row> all() throws IOException {
        List<RulesTable.Row> all = new ArrayList<>(RulesTable.rows());
        all.addAll(RulesTable.later());
        return all;
    }

    @Test
    void namesClassesThatExist() throws IOException {
        for (RulesTable.Row row : all()) {
            assertThat(row.places()).as("R" + row.rule()).isNotEmpty();
            for (String place : row.places()) {
                String name = place.startsWith(CORE) ? place.substring(CORE.length()) : RulesTable.AGENT + place;
                assertThat(RulesTable.find(name))
                        .as("R" + row.rule() + ": " + place)
                        .isNotNull();
            }
        }
    }

    @Test
    void namesTestsThatExist() throws IOException {
        for (RulesTable.Row row : all()) {
            assertThat(row.allowing()).as("R" + row.rule() + ", allowing").isNotEmpty();
            assertThat(row.refusing()).as("R" + row.rule() + ", refusing").isNotEmpty();
            for (String test : row.allowing()) {
                check(row, test);
            }
            for (String test : row.refusing()) {
                check(row, test);
            }
        }
    }

    @Test
    void hasARowForEachRule() throws IOException {
        List<Integer> rules =
                RulesTable.rows().stream().map(RulesTable.Row::rule).toList();

        assertThat(rules).isSorted().doesNotHaveDuplicates();
        for (int rule = 1; rule <= 70; rule++) {
            assertThat(rules).contains(rule);
        }
        assertThat(RulesTable.later().stream().map(RulesTable.Row::rule)).containsExactly(1, 2, 3, 4, 5, 6);
    }

    private void check(RulesTable.Row row, String test) throws IOException {
        String[] parts = test.split("[/#]", 2);
        assertThat(parts).as("R" + row.rule() + ": " + test).hasSize(2);
        Class<?> type = RulesTable.testClass(parts[0]);
        assertThat(type).as("R" + row.rule() + ": " + test).isNotNull();
        if (test.contains("#")) {
            assertThat(Arrays.stream(type.getDeclaredMethods()).filter(m -> m.isAnnotationPresent(Test.class)))
                    .as("R" + row.rule() + ": " + test)
                    .anyMatch(method -> method.getName().equals(parts[1]));
        } else {
            assertThat(texts(type)).as("R" + row.rule() + ": " + test).contains(parts[1]);
        }
    }

    /** The string constants in the code of a class. */
    private static Set<String> texts(Class<?> type) throws IOException {
        Set<String> texts = new HashSet<>();
        ClassNode node = new ClassNode();
        try (InputStream bytes = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            new ClassReader(bytes).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        for (MethodNode method : node.methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof LdcInsnNode ldc && ldc.cst instanceof String text) {
                    texts.add(text);
                }
            }
        }
        return texts;
    }
}
