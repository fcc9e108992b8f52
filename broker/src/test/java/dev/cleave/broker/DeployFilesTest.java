package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.broker.cli.Main;
import dev.cleave.config.KeyFiles;
import dev.cleave.node.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files in docs/deploy.md: no engine runs them here, so that what would fail there is looked for in their text. */
@Tag("one-jdk")
class DeployFilesTest {

    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);
    private static final Set<String> SETTINGS = Stream.concat(
                    KeyFiles.WORDS.stream(),
                    Stream.of("broker", "config", "host", "port", "patience", "insecure", "admin", "admin.host", "mdc"))
            .collect(Collectors.toSet());

    /** What may stand where in the manifests, in words of Kubernetes; {@code []} is each element of a list, and a blank the manifest itself. */
    private static final Map<String, Set<String>> KEYS = Map.ofEntries(
            Map.entry("", Set.of("apiVersion", "kind", "metadata", "spec")),
            Map.entry("metadata", Set.of("name")),
            Map.entry("Service.spec", Set.of("clusterIP", "publishNotReadyAddresses", "selector", "ports")),
            Map.entry("Service.spec.selector", Set.of("app")),
            Map.entry("Service.spec.ports[]", Set.of("name", "port")),
            Map.entry("Deployment.spec", Set.of("replicas", "strategy", "selector", "template")),
            Map.entry("Deployment.spec.strategy", Set.of("type")),
            Map.entry("Deployment.spec.selector", Set.of("matchLabels")),
            Map.entry("Deployment.spec.selector.matchLabels", Set.of("app")),
            Map.entry("Deployment.spec.template", Set.of("metadata", "spec")),
            Map.entry("Deployment.spec.template.metadata", Set.of("labels")),
            Map.entry("Deployment.spec.template.metadata.labels", Set.of("app")),
            Map.entry("pod", Set.of("terminationGracePeriodSeconds", "containers", "volumes")),
            Map.entry("pod.volumes[]", Set.of("name", "secret", "configMap")),
            Map.entry("pod.volumes[].secret", Set.of("secretName")),
            Map.entry("pod.volumes[].configMap", Set.of("name")),
            Map.entry(
                    "container",
                    Set.of("name", "image", "args", "env", "ports", "readinessProbe", "livenessProbe", "volumeMounts")),
            Map.entry("container.env[]", Set.of("name", "value")),
            Map.entry("container.ports[]", Set.of("containerPort")),
            Map.entry("container.volumeMounts[]", Set.of("name", "mountPath", "readOnly")),
            Map.entry("container.probe", Set.of("httpGet", "periodSeconds")),
            Map.entry("container.probe.httpGet", Set.of("path", "port")));

    private final String page = read(Path.of("../docs/deploy.md"));

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> blocks(String language, String within) {
        return BLOCK.matcher(page)
                .results()
                .filter(block ->
                        block.group(1).equals(language) && block.group(2).contains(within))
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    void theImageIsPinnedAndDoesNotRunAsRoot() {
        String file = blocks("dockerfile", "FROM").get(0);
        List<String> words =
                file.lines().map(line -> line.substring(0, line.indexOf(' '))).toList();

        assertThat(file).containsPattern("FROM [a-z-]+:\\d[\\w.-]+\n");
        assertThat(words).contains("USER").doesNotContain("ADD", "MAINTAINER", "EXPOSE");
        assertThat(words.indexOf("USER")).isLessThan(words.indexOf("ENTRYPOINT"));
        assertThat(file).as("a number, which an engine can tell from root").containsPattern("\nUSER [1-9]\\d+\n");
        for (String line :
                file.lines().filter(l -> l.matches("(ENTRYPOINT|CMD) .*")).toList()) {
            List<?> command = list(yaml(line.substring(line.indexOf('['))).get(0));
            assertThat(command).as("the form that needs no shell").isNotEmpty();
            if (line.startsWith("CMD")) {
                checkCommand(command);
            }
        }
    }

    @Test
    void theServicesOfTheComposeFileFitTogether() {
        Map<?, ?> services =
                map(map(yaml(blocks("yaml", "build: .").get(0)).get(0)).get("services"));

        assertThat(services.keySet().stream().map(String::valueOf)).contains("broker", "server", "client");
        services.forEach((name, value) -> {
            Map<?, ?> service = map(value);
            assertThat(service.keySet().stream().map(String::valueOf))
                    .as("%s", name)
                    .isSubsetOf("build", "image", "command", "environment", "volumes", "ports", "stop_grace_period");
            checkVariables(map(service.get("environment")).keySet());
            checkCommand(list(service.get("command")));
            assertThat(list(service.get("volumes"))).allSatisfy(volume -> assertThat(String.valueOf(volume))
                    .matches("\\./[\\w.]+:/etc/cleave/[\\w.]+:ro"));
        });
        String grace = String.valueOf(map(services.get("server")).get("stop_grace_period"));
        assertThat(Integer.parseInt(grace.replace("s", ""))).isGreaterThan((int) Node.LEAVE_AT_EXIT.toSeconds());
    }

    @Test
    void theManifestsFitTogether() {
        List<Object> all = yaml(blocks("yaml", "apiVersion").get(0));
        Map<String, Map<?, ?>> podsByApp = new HashMap<>();
        for (Object each : all) {
            Map<?, ?> manifest = map(each);
            assertThat(map(manifest.get("metadata")).get("name"))
                    .as("%s", manifest)
                    .isNotNull();
            if (manifest.get("kind").equals("Deployment")) {
                assertThat(manifest.get("apiVersion")).isEqualTo("apps/v1");
                Map<?, ?> pod = checkDeployment(map(manifest.get("spec")));
                podsByApp.put(
                        String.valueOf(
                                map(at(manifest, "spec.selector.matchLabels")).get("app")),
                        pod);
            } else {
                assertThat(manifest.get("kind")).isEqualTo("Service");
                assertThat(manifest.get("apiVersion")).isEqualTo("v1");
            }
        }
        assertThat(podsByApp).containsOnlyKeys("cleave-broker", "bank");
        Map<?, ?> service = map(all.get(0));
        Map<?, ?> selected =
                podsByApp.get(String.valueOf(map(at(service, "spec.selector")).get("app")));
        assertThat(selected).isNotNull();
        assertThat(at(service, "spec.clusterIP")).isEqualTo("None");
        list(at(service, "spec.ports")).forEach(port -> assertThat(ports(container(selected)))
                .contains(map(port).get("port")));
        assertThat((Integer) podsByApp.get("bank").get("terminationGracePeriodSeconds"))
                .isGreaterThan((int) Node.LEAVE_AT_EXIT.toSeconds());
    }

    @Test
    void eachKeyOfTheManifestsIsOneOfKubernetes() {
        for (Object each : yaml(blocks("yaml", "apiVersion").get(0))) {
            checkKeys(each, "", String.valueOf(map(each).get("kind")));
        }
    }

    @Test
    void aMisspeltKeyIsFound() {
        String text = blocks("yaml", "apiVersion").get(0);
        for (String key :
                List.of("readinessProbe", "matchLabels", "containerPort", "mountPath", "periodSeconds", "secretName")) {
            assertThat(text).contains(key);
            Object wrong = yaml(text.replace(key, key + "s")).get(1);
            assertThatThrownBy(() -> checkKeys(wrong, "", "Deployment")).as(key).isInstanceOf(AssertionError.class);
        }
    }

    private static void checkKeys(Object value, String place, String kind) {
        if (value instanceof List<?> list) {
            list.forEach(each -> {
                if (each instanceof Map) {
                    checkKeys(each, place.equals("pod.containers") ? "container" : place + "[]", kind);
                }
            });
        } else if (value instanceof Map<?, ?> fields) {
            Set<String> known = KEYS.get(place);
            assertThat(known).as("keys at %s", place).isNotNull();
            fields.forEach((key, inner) -> {
                assertThat(known).as("keys at %s", place).contains(String.valueOf(key));
                String at = place.isEmpty()
                        ? key.equals("spec") ? kind + ".spec" : String.valueOf(key)
                        : String.valueOf(key).endsWith("Probe") ? place + ".probe" : place + "." + key;
                checkKeys(inner, at.equals("Deployment.spec.template.spec") ? "pod" : at, kind);
            });
        }
    }

    private static Map<?, ?> checkDeployment(Map<?, ?> spec) {
        assertThat(at(spec, "template.metadata.labels")).isEqualTo(at(spec, "selector.matchLabels"));
        Map<?, ?> pod = map(at(spec, "template.spec"));
        Map<?, ?> container = container(pod);
        String args = list(container.get("args")).toString();
        checkCommand(list(container.get("args")));
        checkVariables(list(container.get("env")).stream()
                .map(variable -> map(variable).get("name"))
                .toList());
        Set<Object> volumes = list(pod.get("volumes")).stream()
                .map(volume -> map(volume).get("name"))
                .collect(Collectors.toSet());
        list(container.get("volumeMounts"))
                .forEach(mount -> assertThat(volumes).contains(map(mount).get("name")));
        for (String probe : List.of("readinessProbe", "livenessProbe")) {
            Map<?, ?> asked = map(at(container, probe + ".httpGet"));
            assertThat(asked.get("path")).isIn("/ready", "/live");
            assertThat(ports(container)).contains(asked.get("port"));
            assertThat(args).containsPattern("(--admin, |cleave.admin=)" + asked.get("port") + "\\b");
            assertThat(args).contains("-Dcleave.admin.host=0.0.0.0");
        }
        Set<Object> said = Pattern.compile("(?:0\\.0\\.0\\.0:|cleave\\.port=|--admin, |cleave\\.admin=)(\\d+)")
                .matcher(args)
                .results()
                .map((MatchResult found) -> (Object) Integer.valueOf(found.group(1)))
                .collect(Collectors.toSet());
        assertThat(said).isEqualTo(Set.copyOf(ports(container)));
        return pod;
    }

    /** System properties are those that there are, and commands and options are those of the launcher. */
    private static void checkCommand(List<?> words) {
        List<String> command = words.stream().map(String::valueOf).collect(Collectors.toCollection(ArrayList::new));
        while (!command.isEmpty() && command.get(0).startsWith("-D")) {
            String property = command.remove(0).replaceFirst("-Dcleave\\.([^=]+)=.+", "$1");
            assertThat(SETTINGS).contains(property);
        }
        if (!command.isEmpty() && command.remove(0).equals(Main.class.getName())) {
            PrintWriter nowhere = new PrintWriter(new StringWriter());
            Main.commandLine(nowhere, nowhere).parseArgs(command.toArray(String[]::new));
        }
    }

    private static void checkVariables(Iterable<?> names) {
        Set<String> known = new TreeSet<>();
        SETTINGS.forEach(
                word -> known.add("CLEAVE_" + word.toUpperCase(Locale.ROOT).replace('-', '_')));
        assertThat(names).allSatisfy(name -> assertThat(known).contains(String.valueOf(name)));
    }

    private static Map<?, ?> container(Map<?, ?> pod) {
        return map(list(pod.get("containers")).get(0));
    }

    private static List<Object> ports(Map<?, ?> container) {
        return list(container.get("ports")).stream()
                .<Object>map(port -> map(port).get("containerPort"))
                .toList();
    }

    private static List<Object> yaml(String text) {
        List<Object> all = new ArrayList<>();
        new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build())
                .loadAllFromString(text)
                .forEach(all::add);
        return all;
    }

    private static Object at(Map<?, ?> root, String path) {
        Object value = root;
        for (String key : path.split("\\.")) {
            value = map(value).get(key);
        }
        assertThat(value).as(path).isNotNull();
        return value;
    }

    private static Map<?, ?> map(Object value) {
        return value == null ? Map.of() : (Map<?, ?>) value;
    }

    private static List<?> list(Object value) {
        return value == null ? List.of() : (List<?>) value;
    }
}
