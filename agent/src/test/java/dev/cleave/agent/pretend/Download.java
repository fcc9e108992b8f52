package dev.cleave.agent.pretend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Jars that Maven brings, from its repository on this machine or the one that it is set up to use. */
final class Download {

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

    private Download() {}

    /**
     * The files of artifacts, in their order; starts Maven only if one is missing.
     *
     * @param folder where they are, or go
     * @throws IllegalStateException if Maven is missing or fails
     */
    static List<Path> of(List<String> artifacts, Path folder) throws IOException, InterruptedException {
        List<Path> files = artifacts.stream()
                .map(artifact -> folder.resolve(fileName(artifact.split(":"))))
                .toList();
        if (!files.stream().allMatch(Files::isRegularFile)) {
            Files.createDirectories(folder);
            run(artifacts, folder);
        }
        return files;
    }

    private static String fileName(String[] parts) {
        return parts[1] + "-" + parts[2] + (parts.length > 3 ? "-" + parts[3] : "") + ".jar";
    }

    private static void run(List<String> artifacts, Path folder) throws IOException, InterruptedException {
        Path pom = folder.resolve("pom.xml");
        Files.writeString(pom, project(artifacts));
        Path log = folder.resolve("maven.log");
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "-f", pom.toString(), PLUGIN));
        command.add("-DoutputDirectory=" + folder);
        Process maven;
        try {
            maven = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("no Maven to download with: mvn is not on the PATH", e);
        }
        if (maven.waitFor() != 0) {
            throw new IllegalStateException("the download failed: all of it is in " + log);
        }
    }

    private static String project(List<String> artifacts) {
        StringBuilder text = new StringBuilder(
                "<project><modelVersion>4.0.0</modelVersion>\n"
                        + "<groupId>dev.cleave</groupId><artifactId>pretend</artifactId><version>1</version>\n<dependencies>\n");
        for (String artifact : artifacts) {
            String[] parts = artifact.split(":");
            text.append("<dependency>").append(element("groupId", parts[0]));
            text.append(element("artifactId", parts[1])).append(element("version", parts[2]));
            text.append(parts.length > 3 ? element("classifier", parts[3]) : "");
            text.append(
                    "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>");
            text.append("</dependency>\n");
        }
        return text.append("</dependencies></project>\n").toString();
    }

    private static String element(String name, String value) {
        return "<" + name + ">" + value + "</" + name + ">";
    }
}
