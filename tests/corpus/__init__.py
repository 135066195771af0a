"""What must hold on the corpus of real failing inputs."""
