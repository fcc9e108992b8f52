package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Commands and application files on the pages of the documentation are understood as they are there. */
class DocumentedCommandsTest {

    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```");
    /** A command, which may follow the name of a machine, another command, and variables. */
    private static final Pattern LINE =
            Pattern.compile("(?m)^(?:\\w+\\$ )?(?:.*; )?(?:[A-Z_]+=\\S+ )*(?:bin/)?cleave ([a-z].*?)(?: +#.*)?$");

    private static final Pattern INLINE = Pattern.compile("(?:bin/)?cleave ([a-z]+)([^`\\n]*)");
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern PROPERTY = Pattern.compile("-D(cleave\\.[a-zA-Z][a-zA-Z.-]*[a-zA-Z])");
    private static final Pattern AGENT = Pattern.compile("-javaagent:[\\w.-]+\\.jar=([\\w.=,-]+)");
    private static final Pattern OF_JVM = Pattern.compile("(?m)^java (-XX:\\S+)");
    private static final Pattern OF_JDK = Pattern.compile("(?m)^(?:java|jfr) .*$");
    private static final Pattern EVENT = Pattern.compile("dev\\.cleave\\.[A-Z]\\w+");
    private static final Pattern CLASS =
            Pattern.compile("`java -cp [^`]*? dev\\.cleave\\.([a-z.]+)\\.([A-Z]\\w+)[^`]*`");
    private static final Pattern SHAPE = Pattern.compile("(?m)^\\{\"\\w+\"(?:, \"\\w+\")*}$");
    private static final Pattern RECORD = Pattern.compile("Json\\.record\\(([^;]*)\\)");
    private static final Pattern KEY = Pattern.compile("\"(\\w+)\"");
    private static final Pattern MAVEN = Pattern.compile("(?m)^mvn .*?(?= +#|$)");
    private static final Pattern MAVEN_OPTION = Pattern.compile("(-P|-pl |-Dtest=)([\\w/]+)");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

    @TempDir
    Path folder;

    private final List<String> mistakes = new ArrayList<>();
    private final CommandLine line =
            Main.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));

    @Test
    void commandsInBlocksAreUnderstood() throws IOException {
        int commands = 0;
        for (Path page : pages()) {
            for (MatchResult block : found(FENCED, Files.readString(page))) {
                if (!block.group(1).isEmpty() && !block.group(1).equals("sh")) {
                    continue;
                }
                for (MatchResult command : found(LINE, block.group(2))) {
                    commands++;
                    understand(page, command.group(1));
                }
            }
        }

        assertThat(commands).isGreaterThan(10);
        assertThat(mistakes).isEmpty();
    }

    @Test
    void commandsInTextHaveTheirNamesAndOptions() throws IOException {
        int commands = 0;
        for (Path page : pages()) {
            for (MatchResult code : found(CODE, Files.readString(page).replaceAll("(?ms)^```.*?^```", ""))) {
                for (MatchResult command : found(INLINE, code.group(1))) {
                    commands++;
                    checkNames(page, command.group(1), command.group(2));
                }
            }
        }

        assertThat(commands).isGreaterThan(40);
        assertThat(mistakes).isEmpty();
    }

    @Test
    void applicationFilesAndFilesOfContainersAreUnderstood() throws IOException {
        int files = 0;
        for (Path page : pages()) {
            for (MatchResult block : found(FENCED, Files.readString(page))) {
                if (block.group(1).equals("yaml")) {
                    files++;
                    understandYaml(page, block.group(2));
                }
            }
        }

        assertThat(files).isGreaterThan(8);
        assertThat(mistakes).isEmpty();
    }

    @Test
    void theCommandLineHasTheVersionOfTheArtifacts() throws IOException {
        StringWriter out = new StringWriter();

        assertThat(Main.run(new PrintWriter(out), new PrintWriter(Writer.nullWriter()), "--version"))
                .isZero();

        assertThat(out.toString().strip()).isEqualTo("cleave " + Stranger.version());
    }

    @Test
    void systemPropertiesOfCommandsAreRead() throws IOException {
        String sources = sources();
        String keys = Files.readString(Stranger.HOME.resolve("docs/cleave.schema.json"));
        List<String> properties = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult property : found(PROPERTY, Files.readString(page))) {
                properties.add(property.group(1));
                String name = property.group(1).substring("cleave.".length());
                boolean isRead = sources.contains('"' + property.group(1) + '"')
                        || sources.contains('"' + name + '"')
                        || name.contains(".")
                                && keys.contains('"' + name.split("\\.")[0] + "\": {"); // a key of the file
                if (!isRead) {
                    mistakes.add(page + ": nothing reads " + property.group());
                }
            }
        }

        assertThat(properties).hasSizeGreaterThan(30);
        assertThat(mistakes).isEmpty();
    }

    @Test
    void optionsOfTheAgentAreKnown() throws IOException {
        String read = Files.readString(
                Stranger.HOME.resolve("agent/src/main/java/dev/cleave/agent/premain/AgentOptions.java"));
        int options = 0;
        for (Path page : pages()) {
            for (MatchResult agent : found(AGENT, Files.readString(page))) {
                for (String option : agent.group(1).split(",")) {
                    options++;
                    assertThat(read).as(page + ": " + agent.group()).contains('"' + option.split("=")[0] + '"');
                }
            }
        }

        assertThat(options).isPositive();
    }

    @Test
    @Tag("full")
    void optionsOfVirtualMachinesAreKnown() throws Exception {
        int options = 0;
        for (Path page : pages()) {
            for (MatchResult option : found(OF_JVM, Files.readString(page))) {
                options++;
                Path said = folder.resolve("said.txt");
                Process java = new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/java", option.group(1), "-version")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
                assertThat(java.waitFor())
                        .as(page + ": " + Files.readString(said))
                        .isZero();
            }
        }

        assertThat(options).isGreaterThan(3);
    }

    /** The events that commands of the JDK ask for, and the classes that they run. */
    @Test
    void eventsAndClassesOfCommandsAreThere() throws IOException {
        String sources = sources();
        int named = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            for (MatchResult block : found(FENCED, text)) {
                for (MatchResult command : found(OF_JDK, block.group(1).isEmpty() ? block.group(2) : "")) {
                    for (MatchResult event : found(EVENT, command.group())) {
                        named++;
                        assertThat(sources).as("%s", page).contains("@Name(\"" + event.group() + "\")");
                    }
                }
            }
            for (MatchResult command : found(CLASS, text)) {
                named++;
                assertThat(sources)
                        .as("%s", page)
                        .contains("package dev.cleave." + command.group(1) + ";", "class " + command.group(2) + " ");
            }
        }

        assertThat(named).isGreaterThan(4);
    }

    /** A record of JSON on a page names the keys, in the order in which a program writes them. */
    @Test
    void recordsOfJsonHaveTheKeysThatAreWritten() throws IOException {
        List<List<String>> written = found(RECORD, sources()).stream()
                .map(record -> keys(record.group(1)))
                .toList();
        int shapes = 0;
        for (Path page : pages()) {
            for (MatchResult shape : found(SHAPE, Files.readString(page))) {
                shapes++;
                assertThat(written).as("%s", page).contains(keys(shape.group()));
            }
        }

        assertThat(shapes).isGreaterThan(1);
    }

    private static List<String> keys(String text) {
        return found(KEY, text).stream().map(key -> key.group(1)).toList();
    }

    @Test
    void commandsOfMavenNameModulesProfilesAndTestsThatAreThere() throws IOException {
        String parent = Files.readString(Stranger.HOME.resolve("pom.xml"));
        int commands = 0;
        for (Path page : pages()) {
            for (MatchResult block : found(FENCED, Files.readString(page))) {
                for (MatchResult command : found(MAVEN, block.group(2))) {
                    commands++;
                    for (MatchResult option : found(MAVEN_OPTION, command.group())) {
                        String named = option.group(2);
                        switch (option.group(1)) {
                            case "-P" -> assertThat(parent).contains("<id>" + named + "</id>");
                            case "-pl " -> assertThat(parent).contains("<module>" + named + "</module>");
                            default -> assertThat(sources()).contains("class " + named + " ");
                        }
                    }
                }
            }
        }

        assertThat(commands).isGreaterThan(5);
    }

    @Test
    void fragmentsOfPomsAreWellFormed() throws Exception {
        int fragments = 0;
        for (Path page : pages()) {
            for (MatchResult block : found(FENCED, Files.readString(page))) {
                if (block.group(1).equals("xml")) {
                    fragments++;
                    byte[] text = ("<project>" + block.group(2) + "</project>").getBytes(StandardCharsets.UTF_8);
                    assertThat(DocumentBuilderFactory.newInstance()
                                    .newDocumentBuilder()
                                    .parse(new ByteArrayInputStream(text))
                                    .getDocumentElement()
                                    .getElementsByTagName("version"))
                            .as(page.toString())
                            .satisfies(versions -> assertThat(versions.item(0).getTextContent())
                                    .isEqualTo(Stranger.version()));
                }
            }
        }

        assertThat(fragments).isPositive();
    }

    /** Application files, files of containers, and lines of a service in an application file, which are indented. */
    private void understandYaml(Path page, String text) throws IOException {
        if (text.startsWith("apiVersion:") || text.contains("\n    build: ")) {
            List<Map<?, ?>> documents = new ArrayList<>();
            new Load(LoadSettings.builder().build())
                    .loadAllFromString(text)
                    .forEach(document -> documents.add((Map<?, ?>) document));
            assertThat(documents)
                    .as(page.toString())
                    .allMatch(document -> document.containsKey("services")
                            || document.keySet().containsAll(List.of("apiVersion", "kind", "metadata")));
            return;
        }
        String file = text.startsWith("    ") ? "services:\n  some:\n    interface: com.example.Some\n" + text : text;
        try {
            Bindings unused = Bindings.parse(file, writeIncluded(file).toString());
        } catch (ConfigException e) {
            mistakes.add(page + ": " + e.getMessage());
        }
    }

    /** Writes the files that an application file includes, with the interfaces of its services, and returns where it is itself. */
    private Path writeIncluded(String file) throws IOException {
        Map<?, ?> content = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(file);
        if (content.get("include") instanceof List<?> included) {
            StringBuilder interfaces = new StringBuilder("services:\n");
            ((Map<?, ?>) content.get("services"))
                    .keySet()
                    .forEach(service -> interfaces.append("  " + service + ": {interface: com.example.Some}\n"));
            for (Object name : included) {
                Files.writeString(folder.resolve(name.toString()), interfaces);
            }
        }
        return folder.resolve("cleave.yaml");
    }

    /** The classes of all modules, and their tests. */
    private static String sources() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (MatchResult module : found(MODULE, Files.readString(Stranger.HOME.resolve("pom.xml")))) {
            Path folder = Stranger.HOME.resolve(module.group(1)).resolve("src");
            try (Stream<Path> files = Files.isDirectory(folder) ? Files.walk(folder) : Stream.empty()) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    sources.append(Files.readString(file));
                }
            }
        }
        return sources.toString();
    }

    /** Parses a command; a synopsis, which has brackets or alternatives, as far as names and options go. */
    private void understand(Path page, String command) {
        String[] words = command.split(" ", 2);
        String arguments = words.length < 2 ? "" : words[1];
        if (Stream.of("[", "|", "...").anyMatch(arguments::contains)) {
            checkNames(page, words[0], arguments);
            return;
        }
        try {
            Main.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()))
                    .parseArgs(command.replace("'", "").split(" +"));
        } catch (ParameterException e) {
            mistakes.add(page + ": cleave " + command + ": " + e.getMessage());
        }
    }

    private void checkNames(Path page, String name, String arguments) {
        CommandLine command = line.getSubcommands().get(name);
        if (command == null) {
            mistakes.add(page + ": no command " + name);
            return;
        }
        Map<String, ?> options = command.getCommandSpec().optionsMap();
        for (MatchResult option : found(OPTION, arguments)) {
            if (!options.containsKey(option.group())) {
                mistakes.add(page + ": cleave " + name + " has no option " + option.group());
            }
        }
    }

    private static List<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Stranger.HOME.resolve("docs"));
                Stream<Path> top = Files.list(Stranger.HOME)) {
            return Stream.concat(docs, top)
                    .filter(file -> file.toString().endsWith(".md") && !file.endsWith("CHANGELOG.md"))
                    .sorted()
                    .toList();
        }
    }
}
