package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** {@code docs/rules.md} names classes and tests that exist, and forgets no rule that it begins. */
class RulesTableTest {

    private static final String AGENT = "dev.cleave.agent.";
    private static final String CORE = "core:";
    private static final List<String> TEST_PACKAGES =
            List.of("conformance", "fuzz", "report", "premain", "cli", "scan", "transform", "plan", "ir");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private record Row(int rule, List<String> places, List<String> allowing, List<String> refusing) {}

    @Test
    void namesClassesThatExist() throws IOException {
        for (Row row : rows()) {
            assertThat(row.places()).as("R" + row.rule()).isNotEmpty();
            for (String place : row.places()) {
                String name = place.startsWith(CORE) ? place.substring(CORE.length()) : AGENT + place;
                assertThat(find(name)).as("R" + row.rule() + ": " + place).isNotNull();
            }
        }
    }

    @Test
    void namesTestsThatExist() throws IOException {
        for (Row row : rows()) {
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
        List<Integer> rules = rows().stream().map(Row::rule).toList();

        assertThat(rules).isSorted().doesNotHaveDuplicates();
        for (int rule = 1; rule <= 70; rule++) {
            assertThat(rules).contains(rule);
        }
    }

    private void check(Row row, String test) throws IOException {
        String[] parts = test.split("[/#]", 2);
        assertThat(parts).as("R" + row.rule() + ": " + test).hasSize(2);
        Class<?> type = testClass(parts[0]);
        assertThat(type).as("R" + row.rule() + ": " + test).isNotNull();
        if (test.contains("#")) {
            assertThat(Arrays.stream(type.getDeclaredMethods()).filter(m -> m.isAnnotationPresent(Test.class)))
                    .as("R" + row.rule() + ": " + test)
                    .anyMatch(method -> method.getName().equals(parts[1]));
        } else {
            assertThat(texts(type)).as("R" + row.rule() + ": " + test).contains(parts[1]);
        }
    }

    private static List<Row> rows() throws IOException {
        Path file = Path.of(System.getProperty("basedir", "."), "..", "docs", "rules.md");
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.matches("\\| R\\d+ \\|.*")) {
                String[] cells = line.split("\\|");
                assertThat(cells).as(line).hasSize(6);
                rows.add(new Row(
                        Integer.parseInt(cells[1].strip().substring(1)),
                        names(cells[3]),
                        names(cells[4]),
                        names(cells[5])));
            }
        }
        return rows;
    }

    private static List<String> names(String cell) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(cell);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static Class<?> testClass(String simpleName) {
        for (String name : TEST_PACKAGES) {
            Class<?> found = find(AGENT + name + "." + simpleName);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, RulesTableTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
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
