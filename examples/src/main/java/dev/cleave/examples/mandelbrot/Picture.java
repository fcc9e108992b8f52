package dev.cleave.examples.mandelbrot;

import dev.cleave.node.Node;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** The client: draws the picture, one call a row, as if the rows were computed here. */
public final class Picture {

    private static final int WARM_UP = 10;

    private Picture() {}

    /**
     * Takes the name of the service, the PNG file to write, and optionally a service to draw pictures from before the one
     * that counts. The time taken goes to the standard error.
     */
    public static void main(String[] args) throws IOException {
        int[][] picture;
        try (Node node = Node.connect()) {
            Mandelbrot mandelbrot = node.lookup(args[0], Mandelbrot.class);
            if (args.length > 2) {
                warmUp(node.lookup(args[2], Mandelbrot.class));
                mandelbrot.row(0); // connects
            }
            long begin = System.nanoTime();
            picture = draw(mandelbrot);
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.err.printf("%d calls in %.6f s%n", Rows.SIZE, seconds);
        }
        write(picture, Path.of(args[1]));
    }

    static int[][] draw(Mandelbrot mandelbrot) {
        int[][] picture = new int[Rows.SIZE][];
        for (int row = 0; row < Rows.SIZE; row++) {
            picture[row] = mandelbrot.row(row);
        }
        return picture;
    }

    private static void warmUp(Mandelbrot mandelbrot) {
        for (int i = 0; i < WARM_UP; i++) {
            draw(mandelbrot);
        }
    }

    static void write(int[][] picture, Path file) throws IOException {
        BufferedImage image = new BufferedImage(Rows.SIZE, Rows.SIZE, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < Rows.SIZE; y++) {
            for (int x = 0; x < Rows.SIZE; x++) {
                image.setRGB(x, y, color(picture[y][x]));
            }
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    private static int color(int steps) {
        if (steps == 0) {
            return 0x10_10_20;
        }
        double heat = Math.min(1, Math.log(steps) / Math.log(Rows.MOST_STEPS));
        int red = (int) (255 * heat);
        int green = (int) (255 * heat * heat);
        int blue = (int) (110 + 120 * (1 - heat));
        return red << 16 | green << 8 | blue;
    }
}
