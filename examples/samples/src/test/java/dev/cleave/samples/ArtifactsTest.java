package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What is deployed: names, versions, headers, and what a release has beside the jars. */
class ArtifactsTest {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)(?<!\\.xml)</module>"); // not format.xml
    private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)<");
    private static final Pattern CLAUSE = Pattern.compile("(?:^|,)([\\w.]+)(?:;(?:[^,\"]|\"[^\"]*\")*)?");
    /** Builds name them as plug-ins, or they are attached and on no class path. */
    private static final List<String> NO_MODULES =
            List.of("cleave-maven-plugin", "cleave-gradle-plugin", "cleave-rmi-agent");

    /** No class is compiled for them. */
    private static final List<String> WITHOUT_SOURCES = List.of("cleave-bom", "cleave-rmi-agent", "cleave-shaded");

    private static final String COMPONENTS = "-cyclonedx.json";

    @TempDir
    Path directory;

    @Test
    void everyJarThatIsDeployedSaysItsVersionAndItsModule() throws IOException {
        List<String> jars = new ArrayList<>();
        for (Map.Entry<String, Path> module : deployed().entrySet()) {
            Path jar = module.getValue().resolve("target/" + module.getKey() + "-" + Stranger.version() + ".jar");
            if (Files.exists(jar)) { // of the modules that are built before this one
                jars.add(module.getKey());
                Attributes said = manifest(jar);
                assertThat(said.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                        .as(module.getKey())
                        .isEqualTo(Stranger.version());
                if (!NO_MODULES.contains(module.getKey())) {
                    assertThat(said.getValue("Automatic-Module-Name"))
                            .as(module.getKey())
                            .startsWith("dev.cleave.");
                }
            }
        }
        assertThat(jars).contains("cleave-core", "cleave-agent", "cleave-broker", "cleave-test");
    }

    @Test
    void coreAndBrokerAreBundlesThatImportWhatTheyOrLibrariesExport() throws IOException {
        Set<String> exported = new HashSet<>();
        Set<String> imported = new HashSet<>();
        for (String name : List.of("core", "broker")) {
            Attributes said = manifest(
                    Stranger.HOME.resolve(name + "/target/cleave-" + name + "-" + Stranger.version() + ".jar"));
            assertThat(said.getValue("Bundle-SymbolicName")).isEqualTo("dev.cleave." + name);
            assertThat(said.getValue("Bundle-Version"))
                    .isEqualTo(Stranger.version().replace('-', '.'));
            exported.addAll(packages(said.getValue("Export-Package")));
            imported.addAll(packages(said.getValue("Import-Package")));
        }
        assertThat(exported).contains("dev.cleave", "dev.cleave.node", "dev.cleave.rt", "dev.cleave.broker");
        assertThat(imported).contains("io.netty.channel", "org.apache.commons.jexl3");
        imported.removeIf(each -> !each.startsWith("dev.cleave"));
        assertThat(exported).containsAll(imported);
    }

    private static List<String> packages(String header) {
        return CLAUSE.matcher(header).results().map(clause -> clause.group(1)).toList();
    }

    @Test
    void theListOfVersionsHasAllThatProgramsDependOnAndThePageHasAll() throws IOException {
        String bom = Files.readString(Stranger.HOME.resolve("core/bom/pom.xml"));
        String page = Files.readString(Stranger.HOME.resolve("docs/getting-started.md"));
        List<String> wanted = new ArrayList<>(deployed().keySet());
        assertThat(wanted).allSatisfy(each -> assertThat(page).contains("`dev.cleave:" + each + "`"));
        wanted.removeAll(List.of("cleave-bom", "cleave-maven-plugin"));

        assertThat(wanted).hasSizeGreaterThan(10).allSatisfy(each -> assertThat(bom)
                .contains("<artifactId>" + each + "</artifactId>"));
    }

    /** {@code .ci/release} builds twice and fails if the artifacts differ. */
    @Test
    @EnabledIfSystemProperty(named = "cleave.full", matches = "true")
    void aReleaseIsReproducibleAndHasSourcesJavadocAndComponents() throws Exception {
        Stranger stranger = Stranger.in(directory);
        stranger.program(
                "mvn",
                "exec '" + System.getProperty("cleave.maven") + "/bin/mvn' -Dmaven.repo.local='"
                        + System.getProperty("maven.repo.local", System.getProperty("cleave.repository")) + "' \"$@\"");

        String said = stranger.run(Stranger.HOME, Duration.ofMinutes(30), ".ci/release '" + directory + "/out'")
                .successfully();

        assertThat(said).contains("files, alike in both builds");
        Path released = directory.resolve("out/repository/dev/cleave");
        for (String artifact : deployed().keySet()) {
            List<String> names = names(released.resolve(artifact).resolve(Stranger.version()));
            assertThat(names).as(artifact).anyMatch(name -> name.endsWith(".pom"));
            if (!WITHOUT_SOURCES.contains(artifact)) {
                assertThat(names)
                        .as(artifact)
                        .anyMatch(name -> name.endsWith("-sources.jar"))
                        .anyMatch(name -> name.endsWith("-javadoc.jar"));
            }
            if (!artifact.equals("cleave-bom")) {
                assertThat(names).as(artifact).anyMatch(name -> name.endsWith(COMPONENTS));
            }
        }
        Path core = released.resolve("cleave-core").resolve(Stranger.version());
        String components = names(core).stream()
                .filter(name -> name.endsWith(COMPONENTS))
                .findFirst()
                .orElseThrow();
        assertThat(core.resolve(components)).content().contains("CycloneDX", "pkg:maven/io.netty/netty-transport@");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static Attributes manifest(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getManifest().getMainAttributes();
        }
    }

    /** The folders of the modules that are deployed, by the names of their artifacts. */
    private static Map<String, Path> deployed() throws IOException {
        Map<String, Path> modules = new LinkedHashMap<>();
        String parent = Files.readString(Stranger.HOME.resolve("pom.xml"));
        for (String module :
                MODULE.matcher(parent).results().map(m -> m.group(1)).distinct().toList()) {
            Path folder = Stranger.HOME.resolve(module);
            String pom =
                    PARENT.matcher(Files.readString(folder.resolve("pom.xml"))).replaceAll("");
            if (!pom.contains("<maven.deploy.skip>true")) {
                modules.put(
                        ARTIFACT.matcher(pom)
                                .results()
                                .findFirst()
                                .orElseThrow()
                                .group(1),
                        folder);
            }
        }
        return modules;
    }
}
