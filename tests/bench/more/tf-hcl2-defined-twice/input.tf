# The observatory's archive: a bucket for images, a queue of new ones, and the workers that measure them.

terraform {
  required_version = ">= 1.3, < 2.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 4.67"
    }
    random = {
      source = "hashicorp/random"
    }
  }

  backend "s3" {
    bucket = "observatory-state"
    key    = "archive/terraform.tfstate"
    region = "eu-north-1"
  }
}

variable "stage" {
  type        = string
  description = "Where this runs: test or live."
  default     = "test"

  validation {
    condition     = contains(["test", "live"], var.stage)
    error_message = "The stage must be test or live."
  }
}

variable "telescopes" {
  type = map(object({
    site     = string
    cameras  = list(string)
    exposure = number
  }))
  default = {
    north = { site = "lapland", cameras = ["wide", "narrow"], exposure = 30 }
    south = { site = "atacama", cameras = ["wide"], exposure = 12.5 }
  }
}

variable "keep_days" {
  type    = number
  default = 400
}

locals {
  prefix  = "observatory-${var.stage}"
  is_live = var.stage == "live"

  cameras = flatten([
    for name, telescope in var.telescopes : [
      for camera in telescope.cameras : {
        key      = "${name}/${camera}"
        exposure = telescope.exposure
        site     = upper(telescope.site)
      }
    ]
  ])

  by_key = { for camera in local.cameras : camera.key => camera if camera.exposure > 1 }

  common_tags = {
    project = "archive"
    stage   = var.stage
    owner   = "operations@observatory.example"
  }
}

provider "aws" {
  region = local.is_live ? "eu-north-1" : "eu-west-1"

  default_tags {
    tags = local.common_tags
  }
}

resource "random_id" "suffix" {
  byte_length = 4
  keepers     = { prefix = local.prefix }
}

resource "aws_s3_bucket" "images" {
  bucket        = "${local.prefix}-images-${random_id.suffix.hex}"
  force_destroy = !local.is_live

  tags = merge(local.common_tags, { content = "images" })
}

resource "aws_s3_bucket_lifecycle_configuration" "images" {
  bucket = aws_s3_bucket.images.id

  rule {
    id     = "archive"
    status = "Enabled"

    filter {
      prefix = "raw/"
    }

    transition {
      days          = 60
      storage_class = "GLACIER"
    }

    dynamic "expiration" {
      for_each = local.is_live ? [] : [var.keep_days]
      content {
        days = expiration.value
      }
    }
  }
}

resource "aws_sqs_queue" "new_images" {
  for_each = local.by_key

  name                       = replace("${local.prefix}-${each.key}", "/", "-")
  visibility_timeout_seconds = ceil(each.value.exposure * 3)
  message_retention_seconds  = 86400 * 4

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.failed.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "failed" {
  name = "${local.prefix}-failed"
}

data "aws_iam_policy_document" "worker" {
  statement {
    sid       = "Read"
    actions   = ["s3:GetObject", "s3:ListBucket"]
    resources = [aws_s3_bucket.images.arn, "${aws_s3_bucket.images.arn}/raw/*"]
  }

  dynamic "statement" {
    for_each = aws_sqs_queue.new_images
    iterator = queue

    content {
      actions   = ["sqs:ReceiveMessage", "sqs:DeleteMessage"]
      resources = [queue.value.arn]

      condition {
        test     = "StringEquals"
        variable = "aws:ResourceTag/stage"
        values   = [var.stage]
      }
    }
  }
}

resource "aws_launch_template" "worker" {
  name_prefix   = "${local.prefix}-worker-"
  image_id      = data.aws_ami.worker.id
  instance_type = local.is_live ? "c6i.xlarge" : "t3.small"

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 40
      encrypted   = true
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags          = merge(local.common_tags, { role = "worker" })
  }

  tag_specifications {
    resource_type = "volume"
    tags          = local.common_tags
    # Backups look for this tag.
    tags = { backup = local.is_live ? "daily" : "never" }
  }

  lifecycle {
    create_before_destroy = true
  }
}

data "aws_ami" "worker" {
  most_recent = true
  owners      = ["self"]

  filter {
    name   = "name"
    values = ["worker-*"]
  }
}

module "dashboard" {
  source = "./modules/dashboard"
  count  = local.is_live ? 1 : 0

  title  = "Archive (${title(var.stage)})"
  queues = [for queue in values(aws_sqs_queue.new_images) : queue.name]
  alarms = {
    age     = 3600
    failed  = 1
    disk    = 0.9
    "quiet" = null
  }
}

output "bucket" {
  value       = aws_s3_bucket.images.bucket
  description = "Where the cameras upload to."
}

output "queues" {
  value     = { for key, queue in aws_sqs_queue.new_images : key => queue.url }
  sensitive = false
}
